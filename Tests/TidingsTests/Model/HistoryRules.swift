// SPDX-License-Identifier: Apache-2.0

/// The demands of the promises on a history, whatever the order of the threads was.
///
/// Every rule is on the safe side and allows all that the stamps leave open.
struct HistoryRules: Sendable {
    let history: History
    /// The contents of the sequences that were not dropped.
    let buffers: [Int: ModelBuffer]
    private(set) var lives: [History.Life] = []
    private(set) var posts: [History.Post] = []
    private(set) var interceptors: [History.Life] = []
    private(set) var callsByMessage: [Int: [History.Call]] = [:]
    /// The places where messages may wait for an observer that takes them.
    private(set) var waitingPlaces: Set<ModelPlace> = []
    var violations: [String]

    /// The violations of every rule.
    static func check(_ history: History, buffers: [Int: ModelBuffer] = [:]) -> [String] {
        var rules = HistoryRules(history, buffers)
        rules.checkAll()
        return rules.violations
    }

    private init(_ history: History, _ buffers: [Int: ModelBuffer]) {
        self.history = history
        self.buffers = buffers
        violations = history.violations
        posts = history.posts.values.sorted { $0.span.begin < $1.span.begin }
        for life in history.lives.values.sorted(by: { $0.id < $1.id }) {
            if life.observation.isInterceptor {
                interceptors.append(life)
            } else {
                lives.append(life)
            }
        }
        let calls = lives.flatMap(\.calls)
        callsByMessage = Dictionary(grouping: calls, by: \.message)
        for post in posts where post.post.retention == .untilHandled {
            waitingPlaces.insert(post.place)
        }
    }

    private mutating func checkAll() {
        for life in lives {
            if life.observation.form == .sequence {
                checkBuffer(of: life)
            } else {
                checkCalls(of: life)
            }
            checkReplay(of: life)
        }
        for interceptor in interceptors { checkInterceptions(by: interceptor) }
        for post in posts {
            checkOrder(of: post)
            checkRecipients(of: post)
            if post.post.retention == .untilHandled { checkHandover(of: post) }
            checkFinish(of: post)
            checkSilence(of: post)
        }
        checkHooks()
        for count in history.counts {
            let name = "M4: count at \(count.place)"
            checkNumber(count.result, count.span, name, at: count.place) { observation in
                observation.isCounted(at: count.place)
            }
        }
    }
}

// MARK: Facts

extension HistoryRules {
    /// Returns the first end of the objects that an observation needs.
    func mortality(of life: History.Life) -> History.OwnerLife {
        var mortality = History.OwnerLife()
        for object in life.observation.expiring {
            guard let owner = history.owners[object] else { continue }
            mortality.releasedAt = min(mortality.releasedAt, owner.releasedAt)
            mortality.diedAt = min(mortality.diedAt, owner.diedAt)
        }
        return mortality
    }

    /// Whether an end can have ended the observation, as dropping an owned token cannot.
    func mayEnd(_ end: History.End, _ life: History.Life) -> Bool {
        end.kind != .drop || life.observation.owner == nil
    }

    /// Whether a life may have been over or blocked at a time.
    func mayBeSilent(_ life: History.Life, before time: Int) -> Bool {
        life.ends.contains { mayEnd($0, life) && $0.span.begin < time }
            || life.blocks.contains { $0.isBlocked && $0.span.begin < time }
            || mortality(of: life).releasedAt < time
    }

    /// The ends that certainly ended the observation before their last stamp.
    ///
    /// A thread that uses a token or made a bag may hold the token a little longer than the stamps
    /// say, so the drop of another thread is not the last one.
    func sureEnds(of life: History.Life) -> [History.Span] {
        life.ends.filter { end in
            switch end.kind {
            case .cancel, .bag, .once: return true
            case .bagDrop: return false
            case .removal:
                // A center that has finished no longer knows which handlers are still to be called.
                let isKnown = finish(of: life.observation.place.center).begin > end.span.end
                return isKnown && life.registration.isBefore(end.span)
            case .drop:
                let cancels = life.ends.filter { $0.kind == .cancel }.map(\.span)
                return life.observation.owner == nil && life.registration.isBefore(end.span)
                    && (cancels + life.uses).allSatisfy { $0.thread == end.span.thread }
            }
        }.map(\.span)
    }

    /// Whether an observation may receive messages that address no other observation.
    func mayBeTold(_ life: History.Life) -> Bool {
        life.observation.replay > 0 || waitingPlaces.contains(life.observation.place)
    }

    /// Whether a message may have no recipient.
    ///
    /// An interceptor may have dropped the message, or the center was finished or blocked.
    func mayBeDropped(_ post: History.Post) -> Bool {
        if finish(of: post.place.center).begin < post.span.end { return true }
        if mayBeBlocked(post) { return true }
        return interceptors.contains { interceptor in
            interceptor.observation.isFor(post.post)
                && interceptor.observation.choice.picks(post.number)
                && interceptor.registration.begin < post.span.end
        }
    }

    /// Whether a center may have been blocked when a message was posted.
    ///
    /// The block counts unless a later resumption has certainly ended it.
    func mayBeBlocked(_ post: History.Post) -> Bool {
        let switches = history.silences[post.place.center] ?? []
        return switches.contains { block in
            block.isBlocked && block.span.begin < post.span.end
                && !switches.contains { resumption in
                    !resumption.isBlocked && block.span.isBefore(resumption.span)
                        && resumption.span.isBefore(post.span)
                }
        }
    }

    /// Whether a center was certainly blocked when a message was posted.
    func isBlocked(_ post: History.Post) -> Bool {
        let switches = history.silences[post.place.center] ?? []
        return switches.contains { block in
            block.isBlocked && block.span.isBefore(post.span)
                && switches.allSatisfy { other in
                    other.isBlocked || other.span.isBefore(block.span)
                        || post.span.isBefore(other.span)
                }
        }
    }

    /// Returns the stamps from which a center may be and certainly is finished.
    func finish(of center: Int) -> (begin: Int, end: Int) {
        let spans = history.finishes[center] ?? []
        return (spans.map(\.begin).min() ?? .max, spans.map(\.end).min() ?? .max)
    }

    /// Whether an observation certainly comes before another one.
    func isBefore(_ first: History.Life, _ second: History.Life) -> Bool {
        let (high, low) = (first.observation.priority, second.observation.priority)
        return high > low || (high == low && first.registration.isBefore(second.registration))
    }
}
