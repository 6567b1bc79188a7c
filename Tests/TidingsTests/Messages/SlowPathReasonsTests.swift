// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct SlowPathReasonsTests {
    @Test(arguments: [
        (0, 0, true), (0, 1, false), (1, 0, true), (2, 0, true), (1, 1, false), (3, 2, false),
    ])
    func reasonsAreHereWhereThereIsNoOther(here: Int, others: Int, allowInline: Bool) {
        var slowPathReasons = SlowPathReasons.none
        slowPathReasons += .inline(here)
        slowPathReasons += .full(others)
        #expect(slowPathReasons.allowInline == allowInline)
        #expect((slowPathReasons == .none) == (here == 0 && others == 0))
    }

    @Test func aReasonThatIsTakenBackBeforeItIsCountedIsStillAReason() {
        var slowPathReasons = SlowPathReasons.inline(1)
        slowPathReasons += -.full(1)
        #expect(!slowPathReasons.allowInline)
        slowPathReasons += .full(1)
        #expect(slowPathReasons == .inline(1))
    }

    @Test(
        arguments: [
            ([], .none), ([.owned, .once, .gated, .latest], .none), (.subject, .inline(1)),
            ([.subject, .owned, .once], .inline(1)), (.main, .full(1)),
            ([.main, .subject], .full(1)),
        ] as [(RegistrationFlags, SlowPathReasons)]
    )
    func onlyTheMainActorNeedsMoreThanThisThread(
        flags: RegistrationFlags,
        slowPathReasons: SlowPathReasons
    ) {
        #expect(flags.slowPathReasons == slowPathReasons)
    }
}
