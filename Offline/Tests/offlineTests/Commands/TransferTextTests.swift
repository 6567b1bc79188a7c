// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineLibrary
@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct TransferTextTests {
    @Test func theResultOfAnImportNamesTheNextSteps() {
        var report = ImportReport()
        report.items = 3
        report.missing = 1
        report.known = 2
        report.withoutOptions = 1
        let text = TransferCommand.text(report)
        #expect(text.hasPrefix("Imported 3 items: 2 known already, 1 without a file"))
        #expect(text.contains("offline resume NUMBER"))
        #expect(text.contains("1 of the items and feeds had headers, cookies or a proxy"))
        #expect(TransferCommand.text(ImportReport()) == "Imported 0 items.")
    }

    @Test func theResultOfAVerificationOfNothingIsALine() {
        #expect(VerifyCommand.text(VerificationReport()) == "Read 0 bytes of 0 files.")
    }
}
