;; Drives Emacs' own client (eglot) as a user would, and writes what it saw as JSON.  -*- lexical-binding: t -*-
;; Environment: ZEROGRAD_SEEN is the file to write to. The documented settings have been read before.
(require 'eglot)
(require 'json)

(defun wait-until (ready)
  "Wait up to 30 seconds until READY gives a value; that value, or :json-false."
  (let ((end (+ (float-time) 30)) value)
    (while (and (not (setq value (funcall ready))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or value :json-false)))

(defun findings ()
  "What Flymake shows now; between commands it has to be told to look."
  (flymake-start)
  (flymake-diagnostics))

(defun described (diagnostic)
  `((message . ,(flymake-diagnostic-text diagnostic))
    (start . ,(1- (flymake-diagnostic-beg diagnostic)))
    (end . ,(1- (flymake-diagnostic-end diagnostic)))))

(let (seen (coding-system-for-read 'utf-8) (coding-system-for-write 'utf-8))
  (setq eglot-sync-connect 30 eglot-connect-timeout 60)
  (setq native-comp-enable-subr-trampolines nil) ; a question is answered below, not compiled
  (remove-hook 'python-base-mode-hook #'eglot-ensure) ; in batch it comes too late
  (condition-case problem
      (progn
        (find-file "train.py")
        (setq-local project-find-functions (list (lambda (_) (cons 'transient default-directory))))
        (call-interactively #'eglot)
        (push `(arrived . ,(and (consp (wait-until #'findings)) t)) seen)
        (push `(diagnostics . ,(vconcat (mapcar #'described (findings)))) seen)
        (goto-char (flymake-diagnostic-beg (car (findings))))
        (let (shown)
          (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
          (push `(hover . ,(substring-no-properties (wait-until (lambda () shown)))) seen))
        (let ((last-nonmenu-event ?\r) offered) ; as if called by a key, not by the mouse
          (cl-letf (((symbol-function 'completing-read)
                     (lambda (_ items &rest _) (setq offered (mapcar #'car items)) (caar items))))
            (eglot-code-actions (point) (point) nil t))
          (push `(offered . ,(vconcat offered)) seen))
        (push `(buffer . ,(buffer-string)) seen)
        (save-buffer) ; changes are sent in idle time, of which a batch has none, and on saving
        (push `(cleared . ,(wait-until (lambda () (null (findings))))) seen)
        (eglot-shutdown (eglot-current-server)))
    (error (push `(error . ,(error-message-string problem)) seen)))
  (with-temp-file (getenv "ZEROGRAD_SEEN") (insert (json-encode seen))))
