// SPDX-License-Identifier: Apache-2.0

/// Writes the program of a seed.
///
/// Each program has a style of its own: which operations are frequent, how many observations and
/// types there are, how much handlers do. Programs that do a little of everything find less.
struct ModelGenerator {
    private enum Kind: CaseIterable {
        case observe, cancel, drop, post, count, release, empty, churn, pause
    }

    private var random: SplitMix64
    private var program = ModelProgram()
    private var places: [ModelPlace] = []
    private var weights: [Int] = []
    private var scripting = 0
    private var isConcurrent = false
    private var nextObservation = 0
    private var nextMessage = 0

    private init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A program for one thread, whose every event the reference model foretells.
    static func sequential(seed: UInt64) -> ModelProgram {
        var generator = ModelGenerator(seed: seed)
        generator.program.isOnMain = generator.random.chance(50)
        generator.chooseStyle(observations: generator.random.chance(5) ? 150 : 24)
        let length = generator.random.within(5...60)
        generator.program.threads = [generator.operations(length, depth: 0, within: nil)]
        return generator.finished()
    }

    /// A program for two to four threads.
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
        program.owners = Array(repeating: [], count: random.within(1...6))
        program.tokensOutliveCenters = random.chance(50)
        let types = random.chance(20) ? ModelMessages.types.count : random.within(1...2)
        places = (0..<program.centers).flatMap { center in
            (0..<types).map { ModelPlace(center: center, type: $0) }
        }
        scripting = random.pick([0, 20, 50, 80])
        weights = Kind.allCases.map { kind in
            switch kind {
            case .observe: random.within(4...20)
            case .post: random.within(4...20)
            case .churn: random.chance(20) ? 2 : 0
            case .pause: isConcurrent ? random.within(0...6) : 0
            case .cancel, .drop, .count, .release, .empty: random.within(0...6)
            }
        }
    }

    private mutating func operations(_ count: Int, depth: Int, within: Int?) -> [ModelOperation] {
        (0..<count).map { _ in operation(depth: depth, within: within) }
    }

    /// An operation with `depth` handlers around it, the innermost that of `within`.
    private mutating func operation(depth: Int, within: Int?) -> ModelOperation {
        let place = random.pick(places)
        switch Kind.allCases[random.weighted(weights)] {
        case .observe where nextObservation < program.observations:
            return .observe(observation(depth: depth))
        case .observe, .post:
            defer { nextMessage += 1 }
            return .post(nextMessage, at: place)
        case .cancel: return .cancel(target(within))
        case .drop: return .drop(target(within))
        case .count: return .count(place)
        case .release: return .release(owner: random.below(program.owners.count))
        case .empty:
            return .empty(bag: random.below(program.bags), byDropping: random.chance(50))
        case .churn: return .churn(place, random.within(1...(random.chance(10) ? 200 : 20)))
        case .pause: return .pause(random.within(1...200))
        }
    }

    /// Whom a handler ends: itself, or anybody there is or will be.
    private mutating func target(_ within: Int?) -> Int {
        if let within, random.chance(40) { return within }
        return random.below(program.observations)
    }

    private mutating func observation(depth: Int) -> ModelObservation {
        var observation = ModelObservation(id: nextObservation, place: random.pick(places))
        nextObservation += 1
        observation.priority = random.pick([0, 0, 0, 0, 1_000, -1_000, 7])
        observation.form = form()
        if observation.form != .sequence { observation.keeping = keeping(observation.owner) }
        guard depth < 3, observation.form != .sequence else { return observation }
        if random.chance(scripting) {
            for _ in 0..<random.within(1...3) {
                let count = random.within(1...3)
                observation.scripts.append(
                    operations(count, depth: depth + 1, within: observation.id)
                )
            }
        }
        // When a handler is released is promised to no instant, so the model of one thread could
        // not say where these come.
        if isConcurrent, random.chance(10) {
            observation.last = operations(random.within(1...2), depth: 3, within: nil)
        }
        return observation
    }

    private mutating func form() -> ModelObservation.Form {
        let owner = random.below(program.owners.count)
        switch random.below(20) {
        case 0..<8: return .closure
        case 8..<14: return .owned(owner)
        case 14..<16: return .sequence
        // A main-actor handler is called at once, so the model can tell when, only on the main
        // actor; with several threads it comes when it comes.
        case 16..<18: return isConcurrent || program.isOnMain ? .main : .closure
        default: return isConcurrent || program.isOnMain ? .ownedMain(owner) : .owned(owner)
        }
    }

    private mutating func keeping(_ owner: Int?) -> ModelObservation.Keeping {
        switch random.below(10) {
        case 0..<2: .bag(random.below(program.bags))
        case 2..<4 where owner != nil: .owner
        case 4 where owner != nil: .nobody
        default: .program
        }
    }
}
