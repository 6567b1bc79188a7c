// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
struct DetoursTests {
    @Test(arguments: [
        (0, 0, true), (0, 1, false), (1, 0, true), (2, 0, true), (1, 1, false), (3, 2, false),
    ])
    func reasonsAreHereWhereThereIsNoOther(here: Int, others: Int, areHere: Bool) {
        var detours = Detours.none
        detours += .here(here)
        detours += .others(others)
        #expect(detours.areHere == areHere)
        #expect((detours == .none) == (here == 0 && others == 0))
    }

    @Test func aReasonThatIsTakenBackBeforeItIsCountedIsStillAReason() {
        var detours = Detours.here(1)
        detours += -.others(1)
        #expect(!detours.areHere)
        detours += .others(1)
        #expect(detours == .here(1))
    }

    @Test(
        arguments: [
            ([], .none), ([.owned, .once, .gated, .latest], .none), (.subject, .here(1)),
            ([.subject, .owned, .once], .here(1)), (.main, .others(1)),
            ([.main, .subject], .others(1)),
        ] as [(RegistrationTraits, Detours)]
    )
    func onlyTheMainActorNeedsMoreThanThisThread(traits: RegistrationTraits, detours: Detours) {
        #expect(traits.detours == detours)
    }
}
