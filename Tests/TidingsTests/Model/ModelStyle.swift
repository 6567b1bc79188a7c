// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// The preferences of a random program.
struct ModelStyle: Sendable {
    /// A feature that a program uses besides observing, posting and ending.
    enum Feature: CaseIterable {
        case once, filters, nested, blocking, joining, subjects, names, everything, conforming
        case removal, replay, untilHandled, interceptors, buffering, throwing, unhandled, finishing,
            silence
    }

    private var features: Set<Feature> = []
    /// The places where messages are posted.
    private(set) var places: [ModelPlace] = []
    /// How many of 100 handlers run operations.
    private(set) var scripting = 0

    init() {}

    init(_ random: inout SplitMix64, centers: Int) {
        let count = random.pick([0, 1, 2, 2, 3, 4, 6, Feature.allCases.count])
        for _ in 0..<count { features.insert(random.pick(Feature.allCases)) }
        let types = random.chance(20) ? ModelMessages.unnamed : random.within(1...2)
        var kinds = (0..<types).map { ModelPlace.Kind.type($0) }
        if features.contains(.names) {
            kinds += ModelMessages.named.map { .type($0) } + [.name]
        }
        places = (0..<centers).flatMap { center in
            kinds.map { ModelPlace(center: center, kind: $0) }
        }
        scripting = random.pick([0, 20, 50, 80])
    }

    /// The places that have a type.
    var typed: [ModelPlace] { places.filter(\.isTyped) }

    /// Whether messages are retained.
    var retains: Bool { has(.replay) || has(.untilHandled) }

    func has(_ feature: Feature) -> Bool { features.contains(feature) }
}
