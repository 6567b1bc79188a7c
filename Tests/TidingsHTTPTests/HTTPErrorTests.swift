// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPErrorTests {
    @Test func descriptionNamesTheCodeAndTheRemedy() {
        let error = HTTPError(.closed, "Try again.")
        #expect(error.description == "closed: Try again.")
        #expect(error.location.hasPrefix("TidingsHTTPTests/"))
    }
}
