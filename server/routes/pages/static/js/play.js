// The page of a game: playing made lighter. Everything here works without it, by links and forms.
import "./swap.js";
