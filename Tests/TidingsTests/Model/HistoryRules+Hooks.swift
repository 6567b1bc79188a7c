// SPDX-License-Identifier: Apache-2.0

// MARK: Hooks, and the end of a center

extension HistoryRules {
    /// M16 and M17: the hooks are called once for each failure and each unhandled message.
    mutating func checkHooks() {
        let thrown = lives.flatMap { life in
            life.calls.map(\.message).filter { life.observation.fails($0) }.map { [life.id, $0] }
        }
        let (expected, told) = (Set(thrown), Set(history.failures))
        if expected != told || told.count != history.failures.count {
            violations.append("M16: thrown \(thrown), told \(history.failures)")
        }
        guard let missed = history.missed else { return }
        for post in posts {
            let times = missed.count { $0 == post.number }
            let isExpected = post.recipients == 0 && !mayBeDropped(post)
            if times > 1 || (times > 0 && post.recipients > 0) || (times == 0 && isExpected) {
                violations.append(
                    "M17: told \(times) times of \(post.number), heard by \(post.recipients)"
                )
            }
        }
    }

    /// A message that is posted after a center has finished has no recipient.
    mutating func checkFinish(of post: History.Post) {
        guard finish(of: post.place.center).end < post.span.begin else { return }
        if isReceived(post) || post.recipients > 0 {
            violations.append("\(post.number) was posted to a center that had finished")
        }
    }

    /// A message that is posted while a center is blocked has no recipient.
    ///
    /// No hook or interceptor is called with such a message.
    mutating func checkSilence(of post: History.Post) {
        guard isBlocked(post), finish(of: post.place.center).begin > post.span.end else { return }
        let isAsked = interceptors.contains { $0.calls.contains { $0.message == post.number } }
        let isMissed = history.missed?.contains(post.number) == true
        if isReceived(post) || isAsked || isMissed || post.recipients > 0 {
            violations.append("\(post.number) was posted to a blocked center")
        }
    }

    private func isReceived(_ post: History.Post) -> Bool {
        callsByMessage[post.number] != nil
            || buffers.contains { $0.value.numbers.contains(post.number) }
    }
}
