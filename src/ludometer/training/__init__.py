"""How players that learn are trained. It needs the extra ``rl`` (torch); UNO's network then plays without it."""

from ludometer.core import ConfigurationError

__all__ = ["require_torch"]


def require_torch() -> None:
    """Raises `ConfigurationError` where torch is not installed."""
    try:
        import torch  # noqa: F401
    except ImportError:
        raise ConfigurationError("training needs torch; install it with: pip install 'ludometer[rl]'") from None
