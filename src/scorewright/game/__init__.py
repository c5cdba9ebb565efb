"""What is played: the terms both sides see, the setting the principal knows, the game, and the best response."""

from scorewright.game.files import load
from scorewright.game.game import Game
from scorewright.game.response import best_response, tie
from scorewright.game.setting import Setting
from scorewright.game.terms import Terms

__all__ = ["Game", "Setting", "Terms", "best_response", "load", "tie"]
