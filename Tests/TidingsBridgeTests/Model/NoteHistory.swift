// SPDX-License-Identifier: Apache-2.0

/// A message that a process has posted.
struct ScheduledPost: Sendable {
    let origin: Int
    let key: String?
    let failures: Int
    /// Whether the call has returned, so that the message must not be lost.
    var isStored = false

    /// Whether the handlers throw until the message is a dead letter.
    var isPoison: Bool { failures >= FaultSchedule.attempts }
}

/// The posts and handler calls while a schedule ran, and the promises about them.
struct NoteHistory: Sendable {
    enum Entry: Sendable {
        case handled(Int, by: Int, throwing: Bool, isOwn: Bool)
        case killed(Int)
        /// A process whose slow handler outlasted the end calls the handler again.
        case restarted(Int, isSlow: Bool)
    }

    /// The posts by message number, which grows with each post.
    private(set) var posts: [ScheduledPost] = []
    private(set) var entries: [Entry] = []
    /// The dead letters of each process at the end.
    var buried: [Int: [Int]] = [:]

    mutating func post(by origin: Int, key: String?, failures: Int = 0) -> Int {
        posts.append(ScheduledPost(origin: origin, key: key, failures: failures))
        return posts.count - 1
    }

    mutating func store(_ number: Int) { posts[number].isStored = true }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Returns the messages that a process should have handled and has not.
    func missing(at process: Int) -> [Int] {
        var handled: Set<Int> = []
        for case .handled(let number, process, false, _) in entries { handled.insert(number) }
        return posts.indices.filter { number in
            let post = posts[number]
            return post.isStored && post.origin != process && !post.isPoison
                && !handled.contains(number)
        }
    }

    /// Returns the numbers that must be dead letters of a process.
    func poison(at process: Int) -> [Int] {
        posts.indices.filter {
            posts[$0].isStored && posts[$0].origin != process && posts[$0].isPoison
        }
    }

    func violations(processes: Int, keepsOrder: Bool) -> [String] {
        (0..<processes).flatMap(losses(at:))
            + misbehaviour(processes: processes, keepsOrder: keepsOrder)
    }

    /// Returns the violations except for losses.
    func misbehaviour(processes: Int, keepsOrder: Bool) -> [String] {
        (0..<processes).flatMap { process in
            ownMessages(at: process) + repeats(at: process)
                + swaps(at: process, keepsOrder: keepsOrder)
        }
    }

    private func losses(at process: Int) -> [String] {
        let dead = buried[process] ?? []
        var texts = missing(at: process).map { "B4: process \(process) has not handled \($0)" }
        texts += Set(poison(at: process)).subtracting(dead).sorted()
            .map { "B8: \($0) is no dead letter of process \(process)" }
        texts += dead.filter { !posts[$0].isPoison }
            .map { "B8: \($0) is a dead letter of process \(process) after fewer failures" }
        if Set(dead).count < dead.count { texts.append("B8: \(process) has dead letters twice") }
        return texts
    }

    private func ownMessages(at process: Int) -> [String] {
        entries.compactMap { entry in
            guard case .handled(let number, process, _, true) = entry else { return nil }
            return "B9: process \(process) has received its own \(number)"
        }
    }

    /// Finds calls after a successful call, and attempts beyond the limit, without a reason.
    private func repeats(at process: Int) -> [String] {
        var texts: [String] = []
        var done: Set<Int> = []
        var attempts: [Int: Int] = [:]
        // When a process ends, one message is read again and another message is tried again.
        var allowance = 0
        for entry in entries {
            switch entry {
            case .killed(process), .restarted(process, isSlow: true): allowance += 2
            case .handled(let number, process, let throwing, _):
                attempts[number, default: 0] += 1
                let isTooOften = attempts[number] ?? 0 > FaultSchedule.attempts
                if done.contains(number) || isTooOften {
                    allowance -= 1
                    if allowance < 0 {
                        texts.append(
                            "B5: process \(process) handles \(number) again: "
                                + story(of: number, at: process)
                        )
                    }
                }
                if !throwing { done.insert(number) }
            default: break
            }
        }
        return texts
    }

    /// Returns the calls for one message, with the intended failures of the handler.
    private func story(of number: Int, at process: Int) -> String {
        let parts = entries.compactMap { entry -> String? in
            switch entry {
            case .handled(number, process, let throwing, _): throwing ? "throws" : "returns"
            case .killed(process): "killed"
            case .restarted(process, let isSlow): isSlow ? "restarted slowly" : "restarted"
            default: nil
            }
        }
        return "\(posts[number].failures) failures, " + parts.joined(separator: ", ")
    }

    /// Finds first handlings that are not in the order of the posts of one origin and key.
    private func swaps(at process: Int, keepsOrder: Bool) -> [String] {
        var texts: [String] = []
        var done: Set<Int> = []
        var last: [String: Int] = [:]
        for case .handled(let number, process, false, _) in entries
        where done.insert(number).inserted {
            let post = posts[number]
            // Another attempt comes after the next message, unless the key waits for the attempt.
            guard let key = post.key, keepsOrder || post.failures == 0 else { continue }
            let lane = "\(post.origin) \(key)"
            if let before = last[lane], before > number {
                texts.append("B7: process \(process) handles \(number) after \(before)")
            }
            last[lane] = number
        }
        return texts
    }
}
