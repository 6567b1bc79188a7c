import Testing
// SPDX-License-Identifier: Apache-2.0
import Tidings

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct MediaErrorTests {
    @Test func descriptionNamesTheCodeAndTheRemedy() {
        let error = MediaError(.notMedia, "Check the address.")
        #expect(error.description == "notMedia: Check the address.")
    }
}
