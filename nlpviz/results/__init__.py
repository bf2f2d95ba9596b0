"""Results: frozen dataclasses that computations return and figures draw; numpy at most."""
