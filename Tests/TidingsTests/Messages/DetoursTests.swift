// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
struct DetoursTests {
    @Test(arguments: [
        (0, 0, false), (0, 1, false), (1, 0, true), (2, 0, true), (1, 1, false), (3, 2, false),
    ])
    func watchersAreTheOnlyReasonWhereThereIsNoOther(watchers: Int, others: Int, areOnly: Bool) {
        var detours = Detours.none
        detours += .watchers(watchers)
        detours += .others(others)
        #expect(detours.areOnlyWatchers == areOnly)
        #expect((detours == .none) == (watchers == 0 && others == 0))
    }

    @Test func aReasonThatIsTakenBackBeforeItIsCountedIsStillAReason() {
        var detours = Detours.watchers(1)
        detours += .others(-1)
        #expect(!detours.areOnlyWatchers)
        detours += .others(1)
        #expect(detours == .watchers(1))
    }
}
