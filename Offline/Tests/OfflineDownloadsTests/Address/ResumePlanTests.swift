// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
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

    @Test func o24_aSpreadFileContinuesWithItsFirstGap() throws {
        let ranges = RangeSet([0..<300, 600..<700, 900..<950])
        let plan = try #require(ResumePlan(record: record(), ranges: ranges))
        #expect(plan.offset == 300)
        #expect(plan.keptBytes == 450)
        var request = HTTPRequest(try WebAddress("http://example.org/file"))
        plan.apply(to: &request)
        #expect(request.range == HTTPByteRange(offset: 300, length: 300))
        #expect(request.ifRange == "\"v1\"")
        let fields = [("ETag", "\"v1\""), ("Content-Range", "bytes 300-599/1000")]
        #expect(plan.decision(for: try head(206, fields)) == .append)
        let changed = [("ETag", "\"v2\""), ("Content-Range", "bytes 300-599/1000")]
        #expect(plan.decision(for: try head(206, changed)) != .append)
    }

    @Test func o24_onlySeveralRangesOfAKnownVersionAreASpreadFile() {
        let ranges = RangeSet([0..<300, 600..<700])
        #expect(ResumePlan(record: record(validator: nil), ranges: ranges) == nil)
        #expect(ResumePlan(record: record(total: nil), ranges: ranges) == nil)
        #expect(ResumePlan(record: record(), ranges: RangeSet([0..<300])) == nil)
        #expect(ResumePlan(record: record(), ranges: RangeSet([1..<300, 600..<700])) == nil)
    }

    @Test func o2_resumesAtTheFilesEndInTheSameBoot() {
        #expect(resumable.offset == 400)
        #expect(resumable.validator == "\"v1\"")
    }

    @Test(arguments: ["other", nil])
    func o2_truncatesToTheSyncedSizeAfterAReboot(boot: String?) {
        let plan = ResumePlan(record: record(), fileSize: 400, bootID: boot)
        #expect(plan.offset == 100)
    }

    @Test func o2_neverKeepsMoreThanTheFileHas() {
        let plan = ResumePlan(record: record(synced: 500), fileSize: 400, bootID: "other")
        #expect(plan.offset == 400)
    }

    @Test func o2_startsOverWithANoteWithoutAStrongValidator() {
        let plan = ResumePlan(record: record(validator: nil), fileSize: 400, bootID: "boot")
        #expect(plan.offset == 0)
        #expect(plan.note?.hasPrefix("Started over") == true)
    }

    @Test func aFileLongerThanItsVersionIsNotKept() {
        let plan = ResumePlan(record: record(total: 300), fileSize: 400, bootID: "boot")
        #expect(plan.offset == 0)
    }

    @Test func requestsTheRestOfTheSameVersion() throws {
        var request = HTTPRequest(try WebAddress("http://example.org/file"))
        resumable.apply(to: &request)
        #expect(request.range == HTTPByteRange(offset: 400))
        #expect(request.ifRange == "\"v1\"")
    }

    @Test func requestsTheWholeFileWithoutStoredBytes() throws {
        var request = HTTPRequest(try WebAddress("http://example.org/file"))
        ResumePlan.fresh().apply(to: &request)
        #expect(request.range == nil)
        #expect(request.ifRange == nil)
    }

    @Test func o5_appendsOnlyTheSameVersionAtTheRightOffset() throws {
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
    func o5_anyOtherPartCausesARequestOfTheWholeFile(fields: [(String, String)]) throws {
        let decision = resumable.decision(for: try head(206, fields))
        guard case .requestWholeFile(let note) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(note.hasPrefix("Started over"))
    }

    @Test func o5_aWholeFileInsteadOfTheRestStartsOver() throws {
        let decision = resumable.decision(for: try head(200, [("ETag", "\"v1\"")]))
        let note = "Started over: the server does not support resuming this file."
        #expect(decision == .restart(note: note))
        let changed = resumable.decision(for: try head(200, [("ETag", "\"v2\"")]))
        #expect(changed == .restart(note: "Started over: the server's file changed."))
    }

    @Test func o7_aRefusedRangeStartsOver() throws {
        guard case .requestWholeFile = resumable.decision(for: try head(416)) else {
            Issue.record("a 416 must cause a request of the whole file")
            return
        }
    }

    @Test func aRefusedRangeAfterTheLastByteMeansTheFileIsComplete() throws {
        let plan = ResumePlan(record: record(), fileSize: 1_000, bootID: "boot")
        #expect(plan.decision(for: try head(416, [("ETag", "\"v1\"")])) == .alreadyComplete)
    }

    @Test func aCompleteFileIsRecognizedWithoutAValidatorInTheRefusal() throws {
        let plan = ResumePlan(record: record(), fileSize: 1_000, bootID: "boot")
        #expect(plan.decision(for: try head(416)) == .alreadyComplete)
        let changed = try head(416, [("ETag", "\"v2\"")])
        guard case .requestWholeFile = plan.decision(for: changed) else {
            Issue.record("another version must cause a request of the whole file")
            return
        }
    }

    @Test func o5_aRestOfUnknownLengthIsNotAppended() throws {
        let plan = ResumePlan(record: record(total: nil), fileSize: 400, bootID: "boot")
        let open = try head(206, [("ETag", "\"v1\""), ("Content-Range", "bytes 400-999/*")])
        guard case .requestWholeFile = plan.decision(for: open) else {
            Issue.record("a rest of unknown length must not be appended")
            return
        }
        let known = try head(206, [("ETag", "\"v1\""), ("Content-Range", "bytes 400-999/2000")])
        #expect(plan.decision(for: known) == .append)
    }

    @Test(arguments: [204, 206, 301, 404, 416, 500])
    func otherStatusesOfANewRequestFail(status: Int) throws {
        #expect(ResumePlan.fresh().decision(for: try head(status)) == .fail(status: status))
    }
}
