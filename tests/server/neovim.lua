-- Drives Neovim's own client as a user would, and writes what it saw as JSON.
-- Environment: ZEROGRAD_SEEN is the file to write to. A configuration that has been read before
-- starts the server.
local seen = {}

local function write_and_quit()
  local file = io.open(vim.env.ZEROGRAD_SEEN, "w")
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd("qall!")
end

local function run()
  local function clients()
    if vim.lsp.get_clients then return vim.lsp.get_clients({ bufnr = 0 }) end
    return vim.tbl_values(vim.lsp.buf_get_clients(0))
  end
  vim.wait(30000, function() return #clients() == 1 end, 20)
  local client = clients()[1].id
  local function count(number)
    return vim.wait(30000, function() return #vim.diagnostic.get(0) == number end, 20)
  end
  seen.arrived = count(1)
  seen.diagnostics = vim.tbl_map(function(d)
    return { code = d.code or d.user_data.lsp.code, lnum = d.lnum, col = d.col, message = d.message }
  end, vim.diagnostic.get(0))

  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local units = vim.lsp.get_client_by_id(client).offset_encoding
  local answer = vim.lsp.buf_request_sync(
    0, "textDocument/hover", vim.lsp.util.make_position_params(0, units), 30000)
  seen.hover = answer[client].result.contents.value

  local offered
  vim.ui.select = function(items, _, on_choice)
    offered = vim.tbl_map(function(item) return (item.action or item[2]).title end, items)
    on_choice(items[1], 1)
  end
  vim.lsp.buf.code_action()
  seen.applied = vim.wait(30000, function() return vim.bo.modified end, 20)
  seen.offered = offered
  seen.cleared = count(0)
  seen.buffer = vim.api.nvim_buf_get_lines(0, 0, -1, false)

  vim.cmd("undo")
  seen.back = count(1)
  vim.cmd("normal! ggO# 😀 typed")
  seen.moved = vim.wait(30000, function()
    local found = vim.diagnostic.get(0)
    return #found == 1 and found[1].lnum == first.lnum + 1
  end, 20)
  seen.messages = vim.fn.execute("messages")
end

local fine, problem = pcall(run)
seen.error = not fine and tostring(problem) or nil
write_and_quit()
