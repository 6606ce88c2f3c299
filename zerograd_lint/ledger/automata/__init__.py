"""The automata that follow one owner's gradients along every path."""
