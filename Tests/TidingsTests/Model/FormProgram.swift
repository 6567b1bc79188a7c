// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// A random program of observations, with and without a pace, in every form: threads post, advance
/// the clock, cancel and finish.
struct FormProgram: Sendable {
    enum Pace: Hashable, Sendable {
        case none
        case throttled
        case debounced
        case sampled
    }

    enum Form: Hashable, Sendable, CaseIterable {
        case closure, owned, main, ownedMain, async, actor, executor
    }

    enum Buffer: Hashable, Sendable {
        case unbounded
        case newest(Int)
        case oldest(Int)
    }

    struct Observation: Hashable, Sendable {
        var pace = Pace.none
        /// The interval in milliseconds.
        var interval = 1
        var form = Form.closure
        var isOnce = false
        var removesDuplicates = false
        /// Posts whose number is a multiple of this pass the filter.
        var divisor = 1
        var buffer = Buffer.unbounded
        /// The number of simultaneous calls, or nil if the program does not state a number.
        var concurrency: Int?
    }

    enum Step: Sendable {
        case post
        /// Advances the clock by milliseconds.
        case advance(Int)
        case cancel(Int)
        case block(Int)
        /// Finishes the center.
        case finish
    }

    var observations: [Observation] = []
    var threads: [[Step]] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        observations = (0..<random.within(1...6)).map { _ in Self.observation(&random) }
        let advances = random.pick([0, 10, 30])
        let ends = random.pick([0, 0, 3])
        threads = (0..<random.within(1...4)).map { _ in
            (0..<random.within(5...60)).map { _ in
                if random.chance(advances) { return .advance(random.within(0...30)) }
                guard random.chance(ends) else { return .post }
                let id = random.below(observations.count)
                return random.pick([.cancel(id), .cancel(id), .block(id), .finish])
            }
        }
    }

    private static func observation(_ random: inout SplitMix64) -> Observation {
        var observation = Observation()
        observation.pace = random.pick([.none, .throttled, .debounced, .sampled])
        observation.interval = random.within(1...40)
        observation.form = random.pick(Form.allCases)
        observation.isOnce = random.chance(15)
        observation.removesDuplicates = random.chance(20)
        observation.divisor = random.pick([1, 1, 2, 3])
        observation.buffer = random.pick([
            .unbounded, .unbounded, .newest(1), .newest(2), .oldest(1),
        ])
        let isOnActor = [.main, .ownedMain, .actor].contains(observation.form)
        if observation.pace == .none, !isOnActor {
            observation.concurrency = random.pick([nil, nil, 1, 2, 4])
        }
        return observation
    }
}

extension FormProgram.Observation {
    /// Whether the handler runs on the threads of the posters, which may call simultaneously.
    var isOnPosters: Bool {
        [.closure, .owned].contains(form) && pace == .none && buffer == .unbounded
            && concurrency == nil
    }

    /// The number of simultaneous calls that the contract allows, or nil without a limit.
    var limit: Int? { isOnPosters ? nil : concurrency ?? 1 }

    /// Whether the handler is called with every message that passes the filter, if nothing ends it.
    var isComplete: Bool { pace == .none && buffer == .unbounded && !isOnce && !removesDuplicates }
}

extension FormProgram {
    /// The milliseconds by which all threads advance the clock.
    var elapsed: Int {
        threads.joined().reduce(0) { sum, step in
            if case .advance(let time) = step { sum + time } else { sum }
        }
    }

    /// Returns the index of a thread's last post before the end or block of an observation.
    ///
    /// The index is nil if the thread ends and blocks nothing.
    func lastPost(of thread: Int, beforeTheEndOf id: Int) -> Int? {
        var posts = 0
        for step in threads[thread] {
            switch step {
            case .post: posts += 1
            case .cancel(id), .block(id), .finish: return posts - 1
            case .advance, .cancel, .block: break
            }
        }
        return nil
    }

    func isEnded(_ id: Int) -> Bool {
        threads.indices.contains { lastPost(of: $0, beforeTheEndOf: id) != nil }
    }

    /// Returns the number of posts that pass the filter of an observation.
    func matches(of id: Int) -> Int {
        threads.indices.reduce(0) { sum, thread in
            sum + (0..<posts(of: thread)).count { $0.isMultiple(of: observations[id].divisor) }
        }
    }

    /// Returns the number of posts of a thread.
    func posts(of thread: Int) -> Int {
        threads[thread].count { if case .post = $0 { true } else { false } }
    }
}
