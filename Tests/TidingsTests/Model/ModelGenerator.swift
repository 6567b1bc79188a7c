// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// Writes the program of a seed.
///
/// Each program has a style: the frequent operations, the features of the center, the numbers of
/// observations and types, and the amount of work in handlers. Programs that do a little of
/// everything find fewer faults.
struct ModelGenerator {
    private enum Kind: CaseIterable {
        case observe, cancel, drop, post, count, release, empty, churn, pause
        case join, block, resume, remove, recall, forget, finish, silence
    }

    var random: SplitMix64
    var program = ModelProgram()
    var style = ModelStyle()
    private var weights: [Int] = []
    var isConcurrent = false
    private var nextObservation = 0
    private var nextMessage = 0

    private init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Returns a program for one thread, whose events are all predicted by the reference model.
    static func sequential(seed: UInt64) -> ModelProgram {
        var generator = ModelGenerator(seed: seed)
        generator.program.isOnMain = generator.random.chance(50)
        generator.chooseStyle(observations: generator.random.chance(5) ? 150 : 24)
        let length = generator.random.within(5...60)
        generator.program.threads = [generator.operations(length, depth: 0, within: nil)]
        return generator.finished()
    }

    /// Returns a program for two to four threads.
    static func concurrent(seed: UInt64) -> ModelProgram {
        var generator = ModelGenerator(seed: seed)
        generator.isConcurrent = true
        generator.chooseStyle(observations: generator.random.chance(5) ? 150 : 40)
        generator.program.setup = generator.operations(
            generator.random.within(0...12),
            depth: 0,
            within: nil
        )
        generator.program.threads = (0..<generator.random.within(2...4)).map { _ in
            generator.operations(generator.random.within(20...120), depth: 0, within: nil)
        }
        return generator.finished()
    }

    private mutating func finished() -> ModelProgram {
        program.owners = program.owners.map { _ in
            random.chance(25) ? operations(random.within(1...3), depth: 2, within: nil) : []
        }
        return program
    }

    private mutating func chooseStyle(observations: Int) {
        program.centers = random.chance(25) ? 2 : 1
        program.observations = random.within(2...observations)
        program.bags = random.within(1...2)
        program.owners = Array(repeating: [], count: random.within(2...6))
        program.tokensOutliveCenters = random.chance(50)
        style = ModelStyle(&random, centers: program.centers)
        program.hasUnhandledHook = style.has(.unhandled)
        weights = Kind.allCases.map { weight(of: $0) }
    }

    private mutating func weight(of kind: Kind) -> Int {
        switch kind {
        case .observe, .post: random.within(4...20)
        case .churn: random.chance(20) ? 2 : 0
        case .pause: isConcurrent ? random.within(0...6) : 0
        case .cancel, .drop, .count, .release, .empty: random.within(0...6)
        case .join: style.has(.joining) ? 4 : 0
        case .block, .resume: style.has(.blocking) ? 4 : 0
        case .remove: style.has(.removal) ? 4 : 0
        case .recall: style.retains ? 4 : 0
        case .forget: style.retains ? 2 : 0
        case .finish: style.has(.finishing) ? 1 : 0
        case .silence: style.has(.silence) ? 4 : 0
        }
    }

    mutating func operations(_ count: Int, depth: Int, within: Int?) -> [ModelOperation] {
        (0..<count).map { _ in operation(depth: depth, within: within) }
    }

    /// Returns an operation with `depth` handlers around it, the innermost being `within`.
    private mutating func operation(depth: Int, within: Int?) -> ModelOperation {
        // The model of one thread is simple because no delivery reads waiting messages.
        let mayAskForWaiting = isConcurrent || depth == 0 || !style.has(.untilHandled)
        let place = random.pick(style.places)
        switch Kind.allCases[random.weighted(weights)] {
        case .observe where nextObservation < program.observations && mayAskForWaiting:
            nextObservation += 1
            return .observe(observation(nextObservation - 1, depth: depth))
        case .cancel: return .cancel(target(within))
        case .drop: return .drop(target(within))
        case .join: return .join(target(within), target(nil))
        case .block: return .block(target(within))
        case .resume: return .resume(target(nil))
        case .count: return .count(place)
        case .recall where mayAskForWaiting: return .recall(random.pick(style.typed))
        case .forget where mayAskForWaiting: return .forget(random.pick(style.typed))
        case .finish: return .finish(center: random.below(program.centers))
        case .silence:
            // Resuming is more frequent than blocking, so that most posts are delivered.
            let center = random.below(program.centers)
            return .silence(center: center, isBlocked: random.chance(40))
        case .release: return .release(owner: ownerToRelease(depth: depth))
        case .remove:
            let center = random.below(program.centers)
            return .remove(owner: random.below(program.owners.count), center: center)
        case .empty:
            return .empty(bag: random.below(program.bags), byDropping: random.chance(50))
        case .churn:
            let count = random.within(1...(random.chance(10) ? 200 : 20))
            return .churn(random.pick(style.typed), count)
        case .pause: return .pause(random.within(1...200))
        case .observe, .post, .recall, .forget:
            nextMessage += 1
            return .post(post(nextMessage - 1, at: place, depth: depth))
        }
    }

    /// Returns the observation that a handler ends, the handler's own or any present or future one.
    private mutating func target(_ within: Int?) -> Int {
        if let within, random.chance(40) { return within }
        return random.below(program.observations)
    }

    /// Returns an owner that may be released here.
    ///
    /// With one thread the first owner, about which messages are retained, dies while nothing is
    /// delivered, because no promise says when a delivery releases a message.
    private mutating func ownerToRelease(depth: Int) -> Int {
        let owner = random.below(program.owners.count)
        return isConcurrent || depth == 0 || !style.retains ? owner : max(owner, 1)
    }
}
