// SPDX-License-Identifier: Apache-2.0

// MARK: Retained messages

/// M18.
extension HistoryRules {
    /// An observer that asks for retained messages receives all that are there, and no more.
    mutating func checkReplay(of life: History.Life) {
        guard life.observation.replay > 0 else { return }
        let received =
            life.observation.form == .sequence
            ? buffers[life.id]?.numbers : life.calls.map(\.message)
        guard let received else { return }
        for post in posts {
            guard let limit = post.post.limit, post.place == life.observation.place,
                life.observation.isAbout(post.post), !life.registration.isBefore(post.span)
            else { continue }
            let isTold = received.contains(post.number)
            if isTold, post.span.isBefore(life.registration), isGone(post, life) {
                violations.append("M18: \(life.id) was told of \(post.number), long gone")
            }
            let mayMiss =
                !life.observation.takes(post.number) || mayBeDropped(post)
                || mayBeReplaced(post, atMost: limit, life)
                || maySkip(life, replaying: post, among: received)
            if !isTold, !mayMiss {
                violations.append("M18: \(life.id) was not told of \(post.number)")
            }
        }
    }

    /// Returns retained messages of the same place that may have come after the post.
    private func rivals(of post: History.Post, _ life: History.Life) -> [History.Post] {
        posts.filter { rival in
            rival.number != post.number && rival.place == post.place && rival.post.limit != nil
                && !rival.span.isBefore(post.span)
                && rival.span.begin < life.registration.end
        }
    }

    private func mayBeReplaced(
        _ post: History.Post,
        atMost limit: Int,
        _ life: History.Life
    ) -> Bool {
        let rivals = rivals(of: post, life)
        let limits = rivals.compactMap(\.post.limit) + [limit, life.observation.replay]
        return rivals.count >= limits.min() ?? 0
            || history.memories.contains { memory in
                memory.found == nil && memory.place == post.place
                    && memory.span.end > post.span.begin
                    && memory.span.begin < life.registration.end
            }
    }

    /// Whether an observation may have ended before receiving a message, or lost the message again.
    private func maySkip(
        _ life: History.Life,
        replaying post: History.Post,
        among received: [Int]
    ) -> Bool {
        // The observation may have been addressed by the post itself.
        let delivered =
            post.span.isBefore(life.registration)
            ? life.registration.end : max(life.registration.end, post.turnEnd)
        if finish(of: post.place.center).begin < life.registration.end { return true }
        let end = life.observation.isMain ? Int.max : delivered
        let subjectEnd = post.post.about.flatMap { history.owners[$0]?.releasedAt } ?? .max
        return mayBeSilent(life, before: end) || subjectEnd < life.registration.end
            || (life.observation.isOnce && !received.isEmpty)
            || (buffers[life.id]?.dropped ?? 0) > 0
    }

    /// Whether a message was certainly replaced or forgotten before an observation was made.
    private func isGone(_ post: History.Post, _ life: History.Life) -> Bool {
        let newer = posts.filter { other in
            other.place == post.place && other.post.limit != nil
                && other.post.about == post.post.about && !mayBeDropped(other)
                && post.span.isBefore(other.span) && other.span.isBefore(life.registration)
        }
        let isReplaced = newer.contains { other in
            newer.count { $0.number == other.number || $0.span.isBefore(other.span) }
                >= other.post.limit ?? .max
        }
        let isForgotten = history.memories.contains { memory in
            memory.found == nil && memory.place == post.place && post.span.isBefore(memory.span)
                && memory.span.isBefore(life.registration)
        }
        return isReplaced || isForgotten || newer.count >= life.observation.replay
    }

    /// Messages from before the observation come before everything that is posted later.
    mutating func checkReplayIsFirst(
        _ received: [(message: Int, time: Int)],
        _ life: History.Life
    ) {
        // A message counts as live only if no other explanation is possible.
        var live: [(post: History.Post, time: Int)] = []
        for (message, time) in received {
            guard let post = history.posts[message], post.post.retention != .untilHandled
            else { continue }
            if !post.span.isBefore(life.registration) {
                live.append((post, time))
                continue
            }
            let isLate = live.contains { other in
                other.time < time
                    && (other.post.post.retention == nil || post.span.isBefore(other.post.span))
            }
            if isLate {
                violations.append("M18: \(life.id) was told of \(message) too late")
            }
        }
    }

    /// A waiting message is handed over once and is not lost.
    mutating func checkHandover(of post: History.Post) {
        let calls = (callsByMessage[post.number] ?? []).filter {
            history.lives[$0.observation]?.observation.place == post.place
        }
        let readers = buffers.filter {
            $0.value.numbers.contains(post.number)
                && history.lives[$0.key]?.observation.place == post.place
        }.map(\.key)
        let takers = (calls.map(\.observation) + readers).sorted()
        let lateTakers = takers.filter { id in
            history.lives[id].map { post.span.isBefore($0.registration) } ?? false
        }
        if takers.count > 1, !lateTakers.isEmpty {
            violations.append("M18: \(post.number) was handed over to \(takers)")
        }
        guard
            let left = history.memories.last(where: { $0.place == post.place && $0.found != nil })?
                .found
        else { return }
        if !takers.isEmpty, left.contains(post.number) {
            violations.append("M18: \(post.number) waits, and \(takers) took it")
        }
        let isForgotten = history.memories.contains {
            $0.found == nil && $0.place == post.place && $0.span.end > post.span.begin
        }
        let mayBeTaken =
            history.churns.contains { $0.place == post.place && $0.span.end > post.span.begin }
            || lives.contains { life in
                life.observation.form == .sequence && life.observation.place == post.place
                    && buffers[life.id]?.dropped != 0
            }
        if takers.isEmpty, !left.contains(post.number), !isForgotten, !mayBeTaken,
            !mayBeDropped(post), history.finishes[post.place.center] == nil
        {
            violations.append("M18: \(post.number) is lost")
        }
    }
}
