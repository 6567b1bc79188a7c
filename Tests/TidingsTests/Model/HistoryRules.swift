// SPDX-License-Identifier: Apache-2.0

/// What the promises say about a history, whatever the threads did when.
///
/// Every rule is on the safe side: what the stamps leave open is allowed.
struct HistoryRules: Sendable {
    private let history: History
    /// What the sequences held that nobody dropped.
    private let buffers: [Int: [Int]]
    private var postsByPlace: [ModelPlace: [History.Post]] = [:]
    private var livesByPlace: [ModelPlace: [History.Life]] = [:]
    private(set) var violations: [String]

    /// The violations of every rule.
    static func check(_ history: History, buffers: [Int: [Int]] = [:]) -> [String] {
        var rules = HistoryRules(history, buffers)
        rules.checkAll()
        return rules.violations
    }

    private init(_ history: History, _ buffers: [Int: [Int]]) {
        self.history = history
        self.buffers = buffers
        violations = history.violations
        for post in history.posts.values { postsByPlace[post.place, default: []].append(post) }
        for life in history.lives.values {
            livesByPlace[life.observation.place, default: []].append(life)
        }
    }

    private mutating func checkAll() {
        for life in history.lives.values {
            switch life.observation.form {
            case .sequence: checkBuffer(of: life)
            case .closure, .main, .owned, .ownedMain: checkCalls(of: life)
            }
        }
        let calls = history.lives.values.flatMap(\.calls)
        let callsByMessage = Dictionary(grouping: calls, by: \.message)
        for post in history.posts.values {
            checkOrder(of: callsByMessage[post.number] ?? [], post)
            checkRecipients(of: post, calls: callsByMessage[post.number]?.count ?? 0)
        }
        for count in history.counts {
            checkNumber(count.result, count.place, count.span, "promise 4: count at \(count.place)")
        }
    }
}

// MARK: Who receives

extension HistoryRules {
    private mutating func checkCalls(of life: History.Life) {
        let id = life.observation.id
        var received: [Int: Int] = [:]
        for call in life.calls {
            received[call.message, default: 0] += 1
            guard let post = history.posts[call.message] else { continue }
            checkPlace(of: call, post, life)
            checkEnds(of: call, life)
        }
        for post in postsByPlace[life.observation.place] ?? [] {
            checkReceipt(of: post, times: received[post.number] ?? 0, life)
        }
        checkPostingOrder(life.calls.sorted { $0.span.begin < $1.span.begin }.map(\.message), id)
    }

    private mutating func checkBuffer(of life: History.Life) {
        let id = life.observation.id
        guard let buffer = buffers[id] else { return }
        let received = Dictionary(grouping: buffer, by: \.self).mapValues(\.count)
        for post in postsByPlace[life.observation.place] ?? [] {
            let times = received[post.number] ?? 0
            checkReceipt(of: post, times: times, life)
            if times > 0, sureEnds(of: life).contains(where: { $0.isBefore(post.span) }) {
                violations.append("promise 5: sequence \(id) got \(post.number) after its end")
            }
        }
        checkPostingOrder(buffer, id)
    }

    /// Promise 4: who was registered before is a recipient, who came after is not, and never twice.
    private mutating func checkReceipt(of post: History.Post, times: Int, _ life: History.Life) {
        let id = life.observation.id
        let registration = life.registration
        if times > 1 {
            violations.append("promise 4: \(id) received \(post.number) \(times) times")
        }
        if times > 0, cannotBeRecipient(registration, of: post) {
            violations.append("promise 4: \(id) received \(post.number), posted before it came")
        }
        guard times == 0, registration.isBefore(post.span) else { return }
        // A main-actor handler's turn may come whenever it may.
        let turnEnd = life.observation.isMain ? Int.max : post.turnEnd
        let mayHaveEnded = life.ends.contains { mayEnd($0, life) && $0.span.begin < turnEnd }
        if !mayHaveEnded, owner(of: life).releasedAt > turnEnd || life.observation.owner == nil {
            violations.append("promise 4: \(id) did not receive \(post.number)")
        }
    }

    private func cannotBeRecipient(_ registration: History.Span, of post: History.Post) -> Bool {
        post.span.isBefore(registration) || registration.isInCall(of: post.span)
    }

    private func owner(of life: History.Life) -> History.OwnerLife {
        life.observation.owner.flatMap { history.owners[$0] } ?? History.OwnerLife()
    }

    /// Whether an end can have ended the observation: dropping an owned token does not.
    private func mayEnd(_ end: History.End, _ life: History.Life) -> Bool {
        end.kind != .drop || life.observation.owner == nil
    }

    /// The ends that certainly ended the observation before their last stamp.
    ///
    /// A thread that cancels a token or made a bag may hold it a little longer than its stamps
    /// say, so that somebody else's drop is not the last one.
    private func sureEnds(of life: History.Life) -> [History.Span] {
        life.ends.filter { end in
            switch end.kind {
            case .cancel, .bag: return true
            case .bagDrop: return false
            case .drop:
                return life.observation.owner == nil && life.registration.isBefore(end.span)
                    && life.ends.allSatisfy {
                        $0.kind != .cancel || $0.span.thread == end.span.thread
                    }
            }
        }.map(\.span)
    }
}

// MARK: When and in which order

extension HistoryRules {
    /// Promises 2, 3 and 11: on which thread a call is made, and that `post` waits for it or not.
    private mutating func checkPlace(
        of call: History.Call,
        _ post: History.Post,
        _ life: History.Life
    ) {
        let name = "the call of \(call.observation) with \(post.number)"
        guard !life.observation.isMain else {
            // The last thread is the main actor's.
            if post.span.begin > call.span.begin { violations.append("\(name) precedes the post") }
            return
        }
        if call.span.thread != post.span.thread {
            violations.append("promise 2: \(name) is on another thread")
        } else if call.span.begin < post.span.begin || call.span.end > post.turnEnd {
            violations.append("promise 2: \(name) is not within its turn")
        } else if post.delivery == .queued, call.span.begin < post.span.end {
            violations.append("promise 3: \(name) did not wait for the current post")
        }
    }

    /// Promises 5 and 8: nothing after the end of the observation or of its owner.
    private mutating func checkEnds(of call: History.Call, _ life: History.Life) {
        let name = "\(call.observation) received \(call.message)"
        if sureEnds(of: life).contains(where: { $0.end <= call.checkedAfter }) {
            violations.append("promise 5: \(name) after its end")
        }
        if owner(of: life).diedAt < call.span.end {
            violations.append("promise 8: \(name) after its owner's end")
        }
    }

    /// Promise 3: what one thread posted reaches a handler in the order in which it was posted.
    private mutating func checkPostingOrder(_ messages: [Int], _ id: Int) {
        var last: [Int: History.Post] = [:]
        for post in messages.compactMap({ history.posts[$0] }) {
            let thread = post.span.thread
            if let before = last[thread], before.span.begin > post.span.begin,
                !wasMadeWhileAddressing(before, post)
            {
                violations.append(
                    "promise 3: \(id) received \(before.number) before \(post.number)"
                )
            }
            last[thread] = post
        }
    }

    /// Whether `post` was about to be delivered, and the look at an owner was what released it: what
    /// that owner's deinit posts comes first, for everybody.
    private func wasMadeWhileAddressing(_ inner: History.Post, _ post: History.Post) -> Bool {
        inner.delivery == .unknown && post.span.begin < inner.span.begin
            && inner.span.end < post.span.end
    }

    /// Promise 1: higher priorities first, then older observations.
    private mutating func checkOrder(of calls: [History.Call], _ post: History.Post) {
        let ordered = calls.sorted { $0.span.begin < $1.span.begin }
        for (index, later) in ordered.enumerated() {
            for earlier in ordered[..<index] where earlier.span.thread == later.span.thread {
                guard let first = history.lives[earlier.observation],
                    let second = history.lives[later.observation]
                else { continue }
                let (high, low) = (first.observation.priority, second.observation.priority)
                if high < low || (high == low && second.registration.isBefore(first.registration)) {
                    violations.append(
                        """
                        promise 1: \(earlier.observation) came before \(later.observation) \
                        with \(post.number)
                        """
                    )
                }
            }
        }
    }
}

// MARK: Numbers

extension HistoryRules {
    private mutating func checkRecipients(of post: History.Post, calls: Int) {
        let name = "promise 4: post \(post.number)"
        if calls > post.recipients {
            violations.append("\(name) returned \(post.recipients) for \(calls) calls")
        }
        checkNumber(post.recipients, post.place, post.span, name)
    }

    /// How many observations there were at a place, at least and at most, during `span`.
    private mutating func checkNumber(
        _ number: Int,
        _ place: ModelPlace,
        _ span: History.Span,
        _ name: String
    ) {
        var (least, most) = (0, 0)
        for life in livesByPlace[place] ?? [] {
            let registration = life.registration
            if span.isBefore(registration) || registration.isInCall(of: span) { continue }
            let owner = owner(of: life)
            let isOver =
                owner.diedAt < span.begin || sureEnds(of: life).contains { $0.isBefore(span) }
            if !isOver { most += 1 }
            let mayBeOver =
                owner.releasedAt < span.end
                || life.ends.contains { mayEnd($0, life) && $0.span.begin < span.end }
            if registration.isBefore(span), !mayBeOver { least += 1 }
        }
        for churn in history.churns where churn.place == place {
            let isElsewhere = churn.span.isBefore(span) || span.isBefore(churn.span)
            if !isElsewhere, !churn.span.isInCall(of: span) { most += churn.size }
        }
        if number < least || number > most {
            violations.append("\(name) returned \(number), there were \(least) to \(most)")
        }
    }
}
