// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct ResumePlanTests {
    private func record(
        validator: String? = "\"v1\"",
        total: Int64? = 1_000,
        synced: Int64 = 100,
        boot: String? = "boot"
    ) -> TransferRecord {
        TransferRecord(
            validator: validator,
            totalBytes: total,
            syncedBytes: synced,
            bootID: boot
        )
    }

    private func head(_ status: Int, _ fields: [(String, String)] = []) throws -> HTTPResponseHead {
        try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(fields.map { HTTPHeader($0.0, $0.1) }),
            address: WebAddress("http://example.org/file")
        )
    }

    private let resumable = ResumePlan(
        record: TransferRecord(
            validator: "\"v1\"",
            totalBytes: 1_000,
            syncedBytes: 100,
            bootID: "boot"
        ),
        fileSize: 400,
        bootID: "boot"
    )

    @Test func promise2_goesOnAtTheFilesEndInTheSameBoot() {
        #expect(resumable.offset == 400)
        #expect(resumable.validator == "\"v1\"")
    }

    @Test(arguments: ["other", nil])
    func promise2_cutsToTheSyncedSizeAfterAReboot(boot: String?) {
        let plan = ResumePlan(record: record(), fileSize: 400, bootID: boot)
        #expect(plan.offset == 100)
    }

    @Test func promise2_neverTrustsMoreThanIsThere() {
        let plan = ResumePlan(record: record(synced: 500), fileSize: 400, bootID: "other")
        #expect(plan.offset == 400)
    }

    @Test func promise2_startsOverWithoutAStrongValidatorAndSaysSo() {
        let plan = ResumePlan(record: record(validator: nil), fileSize: 400, bootID: "boot")
        #expect(plan.offset == 0)
        #expect(plan.note?.hasPrefix("Started over") == true)
    }

    @Test func aFileLongerThanItsVersionIsNotTrusted() {
        let plan = ResumePlan(record: record(total: 300), fileSize: 400, bootID: "boot")
        #expect(plan.offset == 0)
    }

    @Test func asksForTheRestOfTheSameVersion() throws {
        var request = HTTPRequest(try WebAddress("http://example.org/file"))
        resumable.apply(to: &request)
        #expect(request.range == HTTPByteRange(offset: 400))
        #expect(request.ifRange == "\"v1\"")
    }

    @Test func asksForTheWholeFileWhenThereIsNothingYet() throws {
        var request = HTTPRequest(try WebAddress("http://example.org/file"))
        ResumePlan.fresh().apply(to: &request)
        #expect(request.range == nil)
        #expect(request.ifRange == nil)
    }

    @Test func promise5_appendsOnlyTheSameVersionFromTheRightPlace() throws {
        let right = try head(
            206,
            [("ETag", "\"v1\""), ("Content-Range", "bytes 400-999/1000")]
        )
        #expect(resumable.decision(for: right) == .append)
    }

    @Test(arguments: [
        [("ETag", "\"v2\""), ("Content-Range", "bytes 400-999/1000")],
        [("ETag", "W/\"v1\""), ("Content-Range", "bytes 400-999/1000")],
        [("Content-Range", "bytes 400-999/1000")],
        [("ETag", "\"v1\""), ("Content-Range", "bytes 401-999/1000")],
        [("ETag", "\"v1\""), ("Content-Range", "bytes 400-1999/2000")],
        [("ETag", "\"v1\"")],
    ])
    func promise5_anyOtherPartIsAskedForAnew(fields: [(String, String)]) throws {
        let decision = resumable.decision(for: try head(206, fields))
        guard case .askAgain(let note) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(note.hasPrefix("Started over"))
    }

    @Test func promise5_aWholeFileInsteadOfTheRestStartsOver() throws {
        let decision = resumable.decision(for: try head(200, [("ETag", "\"v1\"")]))
        #expect(
            decision == .restart(note: "Started over: the server does not send parts of this file.")
        )
        let changed = resumable.decision(for: try head(200, [("ETag", "\"v2\"")]))
        #expect(changed == .restart(note: "Started over: the server's file changed."))
    }

    @Test func promise7_refusalOfTheRangeStartsOver() throws {
        guard case .askAgain = resumable.decision(for: try head(416)) else {
            Issue.record("a 416 must lead to a new request")
            return
        }
    }

    @Test func aRefusedRangeBehindTheLastByteMeansTheFileIsWhole() throws {
        let plan = ResumePlan(record: record(), fileSize: 1_000, bootID: "boot")
        #expect(plan.decision(for: try head(416, [("ETag", "\"v1\"")])) == .alreadyWhole)
    }

    @Test func aWholeFileIsRecognizedWithoutAValidatorInTheRefusal() throws {
        let plan = ResumePlan(record: record(), fileSize: 1_000, bootID: "boot")
        #expect(plan.decision(for: try head(416)) == .alreadyWhole)
        guard case .askAgain = plan.decision(for: try head(416, [("ETag", "\"v2\"")])) else {
            Issue.record("another version must be asked for")
            return
        }
    }

    @Test func promise5_aRestOfUnknownLengthIsNotTakenForTheEnd() throws {
        let plan = ResumePlan(record: record(total: nil), fileSize: 400, bootID: "boot")
        let open = try head(206, [("ETag", "\"v1\""), ("Content-Range", "bytes 400-999/*")])
        guard case .askAgain = plan.decision(for: open) else {
            Issue.record("nobody can tell whether this is the end")
            return
        }
        let known = try head(206, [("ETag", "\"v1\""), ("Content-Range", "bytes 400-999/2000")])
        #expect(plan.decision(for: known) == .append)
    }

    @Test(arguments: [204, 206, 301, 404, 416, 500])
    func otherStatusesOfAFreshRequestFail(status: Int) throws {
        #expect(ResumePlan.fresh().decision(for: try head(status)) == .fail(status: status))
    }
}
