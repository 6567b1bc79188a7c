// SPDX-License-Identifier: Apache-2.0

// MARK: Recipients

extension HistoryRules {
    mutating func checkCalls(of life: History.Life) {
        var received: [Int: Int] = [:]
        for call in life.calls {
            received[call.message, default: 0] += 1
            guard let post = history.posts[call.message] else { continue }
            checkPlace(of: call, post, life)
            checkEnds(of: call, life)
        }
        if life.observation.isOnce, life.calls.count > 1 {
            violations.append("\(life.id) was to be called once: \(life.calls.map(\.message))")
        }
        for post in posts { checkReceipt(of: post, times: received[post.number] ?? 0, life) }
        let calls = life.calls.sorted { $0.span.begin < $1.span.begin }
        checkPostingOrder(calls.map(\.message), life)
        checkReplayIsFirst(calls.map { ($0.message, $0.span.begin) }, life)
    }

    mutating func checkBuffer(of life: History.Life) {
        guard let buffer = buffers[life.id] else { return }
        let received = Dictionary(grouping: buffer.numbers, by: \.self).mapValues(\.count)
        for post in posts {
            let times = received[post.number] ?? 0
            checkReceipt(of: post, times: times, life)
            if times > 0, sureEnds(of: life).contains(where: { $0.isBefore(post.span) }),
                post.post.retention == nil
            {
                violations.append("M5: sequence \(life.id) got \(post.number) after its end")
            }
        }
        let isFull =
            switch life.observation.buffer {
            case .newest(let count), .oldest(let count): buffer.numbers.count == count
            case .unbounded: buffer.dropped == 0
            }
        let isTooFull =
            switch life.observation.buffer {
            case .newest(let count), .oldest(let count): buffer.numbers.count > count
            case .unbounded: false
            }
        if isTooFull || (buffer.dropped > 0 && !isFull) {
            violations.append("M14: sequence \(life.id) held \(buffer)")
        }
        checkPostingOrder(buffer.numbers, life)
        checkReplayIsFirst(buffer.numbers.enumerated().map { ($1, $0) }, life)
    }

    /// M4: an observer from before a post is a recipient, a later one is not, and never twice.
    private mutating func checkReceipt(
        of post: History.Post,
        times: Int,
        _ life: History.Life
    ) {
        if times > 1 {
            violations.append("M4: \(life.id) received \(post.number) \(times) times")
        }
        if times > 0, cannotBeRecipient(life.registration, of: post), !mayBeTold(post, life) {
            violations.append(
                "M4: \(life.id) received \(post.number), posted before it came"
            )
        }
        guard times == 0, life.registration.isBefore(post.span),
            life.observation.isFor(post.post), life.observation.takes(post.number),
            buffers[life.id].map({ $0.dropped == 0 }) ?? true
        else { return }
        // The turn of a main-actor handler may come at any time.
        let turnEnd = life.observation.isMain ? Int.max : post.turnEnd
        if !mayBeSilent(life, before: turnEnd), !mayBeDropped(post) {
            violations.append("M4: \(life.id) did not receive \(post.number)")
        }
    }

    private func cannotBeRecipient(_ registration: History.Span, of post: History.Post) -> Bool {
        post.span.isBefore(registration) || registration.isInCall(of: post.span)
    }

    /// Whether an observation may have received a message because the message was retained.
    private func mayBeTold(_ post: History.Post, _ life: History.Life) -> Bool {
        guard post.place == life.observation.place else { return false }
        return post.post.retention == .untilHandled
            || (post.post.retention != nil && life.observation.replay > 0)
    }

    /// An interceptor is called at most once with a message, before `post` returns.
    ///
    /// A picked message is dropped.
    mutating func checkInterceptions(by life: History.Life) {
        let messages = life.calls.map(\.message)
        if Set(messages).count < messages.count {
            violations.append("interceptor \(life.id) received a message twice: \(messages)")
        }
        for call in life.calls {
            checkEnds(of: call, life)
            guard let post = history.posts[call.message] else { continue }
            let (inner, outer) = (call.span, post.span)
            if inner.thread != outer.thread || inner.begin < outer.begin || inner.end > outer.end {
                violations.append("interceptor \(life.id) received \(post.number) elsewhere")
            }
            if life.observation.choice.picks(post.number) {
                checkPick(of: post, by: life)
            }
        }
        for post in posts where life.registration.isBefore(post.span) {
            guard life.observation.isFor(post.post), !messages.contains(post.number),
                finish(of: post.place.center).begin > post.span.end, !mayBeBlocked(post),
                !mayBeSilent(life, before: post.span.end)
            else { continue }
            let isDroppedByOthers = interceptors.contains {
                $0.id != life.id && $0.calls.contains { $0.message == post.number }
                    && $0.observation.choice.picks(post.number)
            }
            if !isDroppedByOthers {
                violations.append("interceptor \(life.id) did not receive \(post.number)")
            }
        }
    }

    /// Whether an interceptor picked a message, which then addresses no observation.
    func isTaken(_ post: History.Post) -> Bool {
        interceptors.contains { interceptor in
            interceptor.observation.choice.picks(post.number)
                && interceptor.calls.contains { $0.message == post.number }
        }
    }

    private mutating func checkPick(of post: History.Post, by life: History.Life) {
        let isReceived =
            callsByMessage[post.number] != nil
            || buffers.contains { $0.value.numbers.contains(post.number) }
        if isReceived || post.recipients != life.observation.recipientsOfPicked {
            violations.append(
                "interceptor \(life.id) took \(post.number), and it was posted to \(post.recipients)"
            )
        }
    }
}
