"""The loss of a transducer with durations (TDT). RNN-T is the special case without durations."""
import torch
import torch.nn.functional as F

NEVER = -1e5


def steps(logits, tokens, words, sigma=0.0):
    """Log-probabilities [batch, frames, tokens + 1, duration] of blank, for durations from 1, and of tokens, from 0."""
    total = logits[..., : words + 1].logsumexp(-1) + sigma
    blank = logits[..., words] - total
    wanted = F.pad(tokens, (0, 1))[:, None, :, None].expand(-1, logits.shape[1], -1, 1)
    token = logits.gather(3, wanted)[..., 0] - total
    if logits.shape[3] == words + 1:
        return blank[..., None], token[..., None]
    skips = logits[..., words + 1 :].log_softmax(-1)
    return blank[..., None] + skips[..., 1:], token[..., None] + skips


def padded_durations(blank, token, durations):
    """Fits RNN-T into a lattice with durations: blank takes one frame, a token none."""
    return F.pad(blank, (0, durations - 1 - blank.shape[3]), value=NEVER), F.pad(token, (0, durations - token.shape[3]), value=NEVER)


def skewed(x, diagonals):
    """Skews [batch, t, u, d] to [batch, t + u, u, d]."""
    batch, frames, width, kinds = x.shape
    t = torch.arange(diagonals, device=x.device)[:, None] - torch.arange(width, device=x.device)[None]
    inside = (t >= 0) & (t < frames)
    at = t.clamp(0, frames - 1)[None, :, :, None].expand(batch, -1, -1, kinds)
    return x.gather(1, at).masked_fill(~inside[None, :, :, None], NEVER)


def transducer_loss(blank, token, frames, counts):
    """The negative log-probability of each example, summed over all paths, computed diagonal by diagonal."""
    batch, most, width, durations = token.shape
    device = token.device
    after = (torch.arange(most, device=device) >= frames[:, None])[:, :, None, None]
    is_end = (torch.arange(width, device=device) >= counts[:, None])[:, None, :, None]
    diagonals = most + width
    blank = skewed(blank.masked_fill(after, NEVER), diagonals)
    token = skewed(token.masked_fill(after | is_end, NEVER), diagonals)
    later = lambda x, steps: F.pad(x, (0, 0, steps, 0), value=NEVER)[:, :diagonals]
    right = lambda x: F.pad(x, (1, 0), value=NEVER)[..., :-1]
    ways = [later(blank[..., d - 1], d) for d in range(1, durations)]
    ways += [right(later(token[..., d], d + 1)) for d in range(durations)]
    first = torch.full((batch, width), NEVER, device=device)
    none = first
    first = first.clone()
    first[:, 0] = 0
    before, before_right = [none] * (durations - 1) + [first], [none] * (durations - 1) + [right(first)]
    found = [first]
    for way in torch.stack(ways, 2).unbind(1)[1:]:
        sources = torch.stack([*before[:0:-1], *before_right[::-1]], 1)
        here = (sources + way).logsumexp(1)
        found.append(here)
        before, before_right = [*before[1:], here], [*before_right[1:], right(here)]
    found = torch.stack(found, 1)
    return -found[torch.arange(batch, device=device), frames + counts, counts]
