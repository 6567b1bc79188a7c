// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsSQLite

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ExitStatusTests {
    @Test func anErrorOfTheRegistryIsPrintedWithoutItsCode() {
        let error = SQLiteError(.full, "There is no space left.")
        #expect(ExitStatus.explanation(of: error) == "offline: There is no space left.")
    }
}
