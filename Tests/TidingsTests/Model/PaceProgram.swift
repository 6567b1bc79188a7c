// SPDX-License-Identifier: Apache-2.0

/// A random program of paced observations: threads post, advance the clock, cancel and finish.
struct PaceProgram: Sendable {
    enum Pace: Hashable, Sendable {
        case throttled
        case debounced
        case sampled
    }

    enum Form: Hashable, Sendable, CaseIterable {
        case closure, owned, main, ownedMain, async, actor
    }

    enum Buffer: Hashable, Sendable {
        case unbounded
        case newest(Int)
        case oldest(Int)
    }

    struct Observation: Hashable, Sendable {
        var pace = Pace.throttled
        /// In milliseconds.
        var interval = 1
        var form = Form.closure
        var isOnce = false
        var removesDuplicates = false
        /// Posts whose number is a multiple of this pass the filter.
        var divisor = 1
        var buffer = Buffer.unbounded
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
        observation.pace = random.pick([.throttled, .debounced, .sampled])
        observation.interval = random.within(1...40)
        observation.form = random.pick(Form.allCases)
        observation.isOnce = random.chance(15)
        observation.removesDuplicates = random.chance(20)
        observation.divisor = random.pick([1, 1, 2, 3])
        observation.buffer = random.pick([
            .unbounded, .unbounded, .newest(1), .newest(2), .oldest(1),
        ])
        return observation
    }

    /// The milliseconds by which all threads advance the clock.
    var elapsed: Int {
        threads.joined().reduce(0) { sum, step in
            if case .advance(let time) = step { sum + time } else { sum }
        }
    }

    /// The index of the last post of a thread before its step that ends or blocks an observation;
    /// nil if the thread ends and blocks nothing.
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

    /// How many posts a thread makes.
    func posts(of thread: Int) -> Int {
        threads[thread].count { if case .post = $0 { true } else { false } }
    }
}
