// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsSQLite

@Suite(.timeLimit(.minutes(15)))
struct SQLiteErrorTests {
    @Test func descriptionNamesTheCodeAndTheRemedy() {
        let error = SQLiteError(.busy, "Try again.")
        #expect(error.description == "busy: Try again.")
        #expect(error.location.hasPrefix("TidingsSQLiteTests/"))
    }
}
