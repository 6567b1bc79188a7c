// SPDX-License-Identifier: Apache-2.0

// MARK: When and in which order

extension HistoryRules {
    /// M2, M3 and M11: the thread of a call, and whether `post` waits for the call.
    mutating func checkPlace(of call: History.Call, _ post: History.Post, _ life: History.Life) {
        let name = "the call of \(call.observation) with \(post.number)"
        // Retained messages, and posts behind them, are delivered where the observation is made.
        // Messages that no observer took are delivered where the center notices a taker.
        let isTold = mayBeTold(life) && life.isReplay(call)
        guard !life.observation.isMain, !isTold, post.post.retention != .untilHandled else {
            // The last thread is the main actor's.
            if post.span.begin > call.span.begin { violations.append("\(name) precedes the post") }
            return
        }
        if call.span.thread != post.span.thread {
            violations.append("M2: \(name) is on another thread")
        } else if call.span.begin < post.span.begin || call.span.end > post.turnEnd {
            violations.append("M2: \(name) is not within its turn")
        } else if post.delivery == .queued, call.span.begin < post.span.end {
            violations.append("M3: \(name) did not wait for the current post")
        }
    }

    /// M5, M8 and M10: no call comes after the end of the observation, its owner or its subject.
    mutating func checkEnds(of call: History.Call, _ life: History.Life) {
        let name = "\(call.observation) received \(call.message)"
        for end in life.ends where end.kind != .once && sureEnds(of: life).contains(end.span) {
            if end.span.end <= call.checkedAfter {
                violations.append("M5: \(name) after its end")
            }
        }
        if isBlocked(life, at: call) { violations.append("\(name) while it was blocked") }
        for (object, promise) in [(life.observation.owner, 8), (life.observation.subject, 10)] {
            // A message that waits for the main actor does not keep the subject alive.
            if promise == 10, life.observation.isMain { continue }
            guard let object, let owner = history.owners[object] else { continue }
            if owner.diedAt < call.span.end {
                violations.append("M\(promise): \(name) after the end of \(object)")
            }
        }
    }

    /// Whether an observation was blocked before the decision on a call, and not resumed since.
    private func isBlocked(_ life: History.Life, at call: History.Call) -> Bool {
        life.blocks.contains { block in
            block.isBlocked && block.span.end <= call.checkedAfter
                && life.blocks.allSatisfy { other in
                    other.isBlocked || other.span.isBefore(block.span)
                        || other.span.begin > call.span.begin
                }
        }
    }

    /// M3: posts of one thread reach a handler in the order of posting.
    mutating func checkPostingOrder(_ messages: [Int], _ life: History.Life) {
        var last: [Int: History.Post] = [:]
        for post in messages.compactMap({ history.posts[$0] }) where hasOrder(post) {
            let thread = post.span.thread
            if let before = last[thread], before.span.begin > post.span.begin {
                violations.append(
                    "M3: \(life.id) received \(before.number) before \(post.number)"
                )
            }
            last[thread] = post
        }
    }

    /// Whether a post has a place in the order of the thread.
    ///
    /// No order is promised for a post that is delivered depth first, for a post while an
    /// interceptor holds another one up, and for a post whose message an observer takes later.
    private func hasOrder(_ post: History.Post) -> Bool {
        post.delivery != .nested && !post.isAhead && post.post.retention != .untilHandled
    }

    /// M1: higher priorities first, then older observations.
    mutating func checkOrder(of post: History.Post) {
        guard post.post.retention != .untilHandled else { return }
        let ordered = (callsByMessage[post.number] ?? [])
            .filter { call in
                guard let life = history.lives[call.observation] else { return false }
                return !mayBeTold(life) || life.registration.isBefore(post.span)
            }
            .sorted { $0.span.begin < $1.span.begin }
        for (index, later) in ordered.enumerated() {
            for earlier in ordered[..<index] where earlier.span.thread == later.span.thread {
                guard let first = history.lives[earlier.observation],
                    let second = history.lives[later.observation], isBefore(second, first)
                else { continue }
                violations.append(
                    """
                    M1: \(earlier.observation) came before \(later.observation) \
                    with \(post.number)
                    """
                )
            }
        }
    }
}

// MARK: Numbers

extension HistoryRules {
    mutating func checkRecipients(of post: History.Post) {
        let name = "M4: post \(post.number)"
        let calls = (callsByMessage[post.number] ?? []).filter { call in
            guard post.post.retention != nil else { return true }
            return history.lives[call.observation]?.registration.isBefore(post.span) == true
        }
        if calls.count > post.recipients {
            violations.append("\(name) returned \(post.recipients) for \(calls.count) calls")
        }
        if post.recipients == 0, mayBeDropped(post) { return }
        if isTaken(post) { return }
        checkNumber(post.recipients, post.span, name, at: post.place) { observation in
            observation.isFor(post.post)
        }
    }

    /// Checks the smallest and the largest possible number of observations during `span`.
    mutating func checkNumber(
        _ number: Int,
        _ span: History.Span,
        _ name: String,
        at place: ModelPlace,
        _ isMeant: (ModelObservation) -> Bool
    ) {
        var (least, most) = (0, 0)
        for life in lives where isMeant(life.observation) {
            let registration = life.registration
            if span.isBefore(registration) || registration.isInCall(of: span) { continue }
            let mortality = mortality(of: life)
            let isOver =
                mortality.diedAt < span.begin || sureEnds(of: life).contains { $0.isBefore(span) }
            if !isOver { most += 1 }
            let mayBeOver =
                mortality.releasedAt < span.end
                || life.ends.contains { mayEnd($0, life) && $0.span.begin < span.end }
            if registration.isBefore(span), !mayBeOver { least += 1 }
        }
        for churn in history.churns {
            let isElsewhere = churn.span.isBefore(span) || span.isBefore(churn.span)
            let isMeant =
                churn.place.isCounted(at: place) || place.hears(0, at: churn.place)
            if isMeant, !isElsewhere, !churn.span.isInCall(of: span) { most += churn.size }
        }
        let finish = finish(of: place.center)
        if finish.begin < span.end { least = 0 }
        if finish.end < span.begin { most = 0 }
        if number < least || number > most {
            violations.append("\(name) returned \(number), there were \(least) to \(most)")
        }
    }
}
