"""A file reduced to control flow over events: the language between the front end and the flow.

What an event means plays no part here. A statement either emits an event, rebinds names,
branches, loops, jumps or invokes a function of the same file; everything else is gone.
"""

from .conditions import Atom as Atom
from .conditions import Both as Both
from .conditions import Condition as Condition
from .conditions import Constant as Constant
from .conditions import Not as Not
from .conditions import answer_if as answer_if
from .conditions import atoms as atoms
from .conditions import either as either
from .conditions import key_of as key_of
from .conditions import seen_from as seen_from
from .cycles import Cycle as Cycle
from .references import ANY_ELEMENT as ANY_ELEMENT
from .references import Environment as Environment
from .references import Ref as Ref
from .statements import Block as Block
from .statements import Branch as Branch
from .statements import Choice as Choice
from .statements import Emit as Emit
from .statements import Function as Function
from .statements import Invoke as Invoke
from .statements import Jump as Jump
from .statements import JumpKind as JumpKind
from .statements import Loop as Loop
from .statements import Rebind as Rebind
from .statements import Statement as Statement
from .statements import Suspend as Suspend
from .statements import Try as Try
from .statements import walk as walk
