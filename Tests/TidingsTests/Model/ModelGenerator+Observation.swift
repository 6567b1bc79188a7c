// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

extension ModelGenerator {
    mutating func post(_ number: Int, at place: ModelPlace, depth: Int) -> ModelPost {
        var post = ModelPost(number: number, place: place)
        if style.has(.nested) { post.isNested = random.chance(30) }
        if style.has(.subjects), random.chance(50) {
            post.about = random.below(program.owners.count)
            // No promise says when a queued message releases the subject.
            if !isConcurrent, depth > 0 { post.isNested = true }
        }
        guard place.isTyped, random.chance(40) else { return post }
        if style.has(.untilHandled), isConcurrent || depth == 0, random.chance(50) {
            post.retention = .untilHandled
            if !isConcurrent { post.about = nil }
        } else if style.has(.replay) {
            post.retention = .newest(random.pick([1, 1, 1, 2, 4]))
            if !isConcurrent, post.about != nil { post.about = 0 }
        }
        return post
    }

    mutating func observation(_ id: Int, depth: Int) -> ModelObservation {
        var observation = ModelObservation(id: id, place: observedPlace())
        observation.priority = random.pick([0, 0, 0, 0, 1_000, -1_000, 7])
        observation.form = form(at: observation.place)
        addWishes(to: &observation)
        if observation.form != .sequence { observation.keeping = keeping(observation.owner) }
        guard depth < 3, observation.form != .sequence else { return observation }
        if random.chance(style.scripting) {
            for _ in 0..<random.within(1...3) {
                let count = random.within(1...3)
                observation.scripts.append(operations(count, depth: depth + 1, within: id))
            }
        }
        // No promise says when handlers are released, so the model could not predict such
        // operations.
        if isConcurrent, random.chance(10) {
            observation.last = operations(random.within(1...2), depth: 3, within: nil)
        }
        return observation
    }

    private mutating func observedPlace() -> ModelPlace {
        var place = random.pick(style.places)
        if style.has(.everything), random.chance(20) { place.kind = .everything }
        if style.has(.conforming), random.chance(20) { place.kind = .conforming }
        if style.has(.names), random.chance(10) { place.kind = .untyped }
        return place
    }

    private mutating func form(at place: ModelPlace) -> ModelObservation.Form {
        let owner = random.below(program.owners.count)
        let mayIntercept = place.isTyped || place.isBroad
        if style.has(.interceptors), mayIntercept, random.chance(20) {
            return .interceptor(random.chance(50) ? .stop : .drop)
        }
        switch random.below(20) {
        case 0..<8: return .closure
        case 8..<14: return .owned(owner)
        case 14..<16: return place.isTyped ? .sequence : .closure
        // The model can predict a main-actor handler's calls only on the main actor, where the
        // handler is called immediately. With several threads such a call may come at any time.
        case 16..<18: return isConcurrent || program.isOnMain ? .main : .closure
        default: return isConcurrent || program.isOnMain ? .ownedMain(owner) : .owned(owner)
        }
    }

    private mutating func addWishes(to observation: inout ModelObservation) {
        observation.choice = ModelChoice(modulus: random.pick([1, 2, 2, 3, 5]))
        if observation.isInterceptor { return }
        let (place, form) = (observation.place, observation.form)
        if style.has(.throwing), form != .sequence, random.chance(40) {
            observation.failure = ModelChoice(modulus: random.within(1...3))
        }
        if style.has(.joining), case .owned = form, place.isTyped, random.chance(30) {
            // Members of a family have no options.
            observation.isInFamily = true
            observation.priority = 0
            return
        }
        if style.has(.once), form != .sequence { observation.isOnce = random.chance(30) }
        if style.has(.filters), place.kind != .name, random.chance(40) {
            observation.filter = ModelChoice(modulus: random.within(2...3), rest: random.below(2))
        }
        if style.has(.subjects), random.chance(40) {
            let owner = random.below(program.owners.count)
            observation.about = random.chance(30) ? .any : .object(owner)
        }
        if style.has(.replay), place.isTyped {
            observation.replay = random.pick([0, 1, 2, 5, .max])
        }
        if style.has(.buffering), form == .sequence {
            observation.buffer = random.chance(50) ? .newest(random.within(1...3)) : .oldest(2)
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
