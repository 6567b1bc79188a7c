// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsDiagnostics
import TidingsFiles
import TidingsHTTP
import TidingsSQLite
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineAPI
@testable import OfflineApp
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore
@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct LibraryReportsTests {
    /// Downloads a path that fails and returns the report of the failure.
    private func report(of path: String, _ routes: [String: JSON]) async throws -> Report {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        try await test.origin.serve(routes)
        #expect(try await test.get(path).state == .failed)
        await test.library.stop()
        return try #require(await reports.all().first)
    }

    private func file(_ status: Int) -> JSON {
        ["status": .integer(status), "text": "secret"]
    }

    @Test func aFailedDownloadIsRecordedWithAddressAndRetries() async throws {
        let report = try await report(of: "/a.mp4?token=hunter2", ["/a.mp4": file(503)])
        #expect(report.release == "offline@1.0.0")
        #expect(report.level == .error)
        #expect(report.context["error_type"] == "download")
        #expect(report.context["download_url"]?.description.hasSuffix("/a.mp4") == true)
        #expect(report.context["retry_count"] == 2)
        #expect(report.errors.first?.domain == "OfflineModel.DownloadError")
        #expect(report.errors.first?.code == "status")
    }

    @Test func aBrokenPlaylistIsRecordedWithItsAddress() async throws {
        let report = try await report(
            of: "/a.m3u8?token=hunter2",
            ["/a.m3u8": ["text": "#EXTM3U\n#EXT-X-TARGETDURATION:x\n#EXT-X-ENDLIST\n"]]
        )
        #expect(report.context["error_type"] == "parse")
        #expect(report.context["manifest_url"]?.description.hasSuffix("/a.m3u8") == true)
        #expect(report.errors.map(\.domain).last == "OfflineModel.PlaylistError")
    }

    @Test func r26_aFailedDownloadIsPlacedWhereItFailed() async throws {
        let report = try await report(of: "/a.mp4", ["/a.mp4": file(503)])
        let place = try #require(ReportSummary(report).place)
        let file = try #require(place.split(separator: ":").first)
        #expect(!place.contains("ItemJournal") && !place.contains("DownloadError"))
        #expect(
            report.grouping == ["OfflineModel.DownloadError.status", "OfflineDownloads/\(file)"]
        )
    }

    @Test func r26_onlyFailuresThatDevelopersCanRemoveAreReported() {
        func concerns(_ code: DownloadError.Code, _ cause: HTTPError.Code? = nil) -> Bool {
            let cause = cause.map { HTTPError($0, "No.") }
            return DownloadError(code, "No.", cause: cause).concernsDevelopers
        }
        for code in [DownloadError.Code.invalidPlaylist, .mux, .database, .disk, .notMedia] {
            #expect(concerns(code))
        }
        for code in [DownloadError.Code.offline, .diskFull, .toolMissing, .cancelled, .live] {
            #expect(!concerns(code))
        }
        #expect(concerns(.connection, .protocolViolation) && concerns(.connection))
        #expect(!concerns(.connection, .cannotResolve) && !concerns(.connection, .timedOut))
        var error = DownloadError(.status, "No.")
        for (status, isReported) in [(404, false), (429, false), (500, true)] {
            error.status = status
            error.isTransient = status != 404
            #expect(error.concernsDevelopers == isReported)
        }
    }

    @Test func aRefusalIsNoReport() async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        let page: JSON = ["text": "<!doctype html><html>", "type": "text/html"]
        try await test.origin.serve(["/a": page])
        #expect(try await test.get("/a").state == .failed)
        await test.library.stop()
        #expect(await reports.all().isEmpty)
    }

    @Test(arguments: [401, 403, 404, 410])
    func aRefusalByTheServerIsNoReport(_ status: Int) async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        try await test.origin.serve(["/a": file(status), "/b": ["text": "content"]])
        #expect(try await test.get("/a").failure?.code == "status")
        var request = try test.request("/b")
        let zeros = "md5:" + String(repeating: "0", count: 32)
        try request.setOptions(RequestOptions(.init(checksum: zeros)))
        #expect(try await test.get(request).failure?.code == "checksum")
        await test.library.stop()
        #expect(await reports.all().isEmpty)
    }

    @Test(arguments: [
        (DownloadError.Code.status, FailureKind.download), (.connection, .download),
        (.invalidPlaylist, .parse), (.refused, .parse), (.mux, .mux),
        (.database, .database),
    ])
    func everyErrorCodeHasAFailureKind(_ code: DownloadError.Code, _ kind: FailureKind) {
        #expect(DownloadError(code, "It did not work.").kind == kind)
    }

    @Test func aMediaErrorIsAMuxFailure() throws {
        let error = DownloadError(MediaError(.notMedia, "No."))
        let muxed = DownloadError(.mux, "No.", cause: error)
        #expect(error.kind == .mux)
        #expect(muxed.kind == .mux)
    }

    @Test func anErrorOfTheRegistryIsADatabaseFailure() {
        #expect(DownloadError(SQLiteError(.corrupt, "No.")).kind == .database)
        #expect(DownloadError(SQLiteError(.full, "No.")).kind == .database)
        #expect(DownloadError(SystemError("write", path: "", number: 28)).kind == .download)
    }

    @Test func aFailureOfTheRegistryIsRecordedAndPostsAChange() async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        let changes = MessageRecorder(ReportsChanged.self, on: test.library.messages)
        reports.follow(test.library)
        let failure = LibraryError(.database, "It is full.")
        test.library.messages.post(RegistryFailed(operation: "enqueue", error: failure))
        let report = try #require(await reports.all().first)
        #expect(report.context == ["error_type": "database", "operation": "enqueue"])
        #expect(report.values == ["download_queue_size": 0, "video_count": 0])
        try await reports.deleteAll()
        #expect(await reports.all().isEmpty)
        #expect(changes.messages.count == 2)
    }

    @Test func o28_aDamagedRegistryIsRecordedWithoutThePathOfTheLibrary() async throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        try directory.create()
        try Data("no database".utf8).write(to: URL(filePath: directory.registry))
        let test = try TestLibrary(in: folder)
        let reports = try LibraryReports(directory, .errors)
        reports.follow(test.library)
        #expect(try test.library.journal.preferences.damage == nil)
        let report = try #require(await reports.all().first)
        #expect(report.context == ["error_type": "database", "operation": "open"])
        #expect(
            report.errors.map(\.domain)
                == ["OfflineModel.LibraryError", "TidingsSQLite.SQLiteError"]
        )
        #expect(report.errors.map(\.code) == ["damaged", "corrupt"])
        #expect(report.errors[0].message.contains("the library/registry-damaged-"))
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(!text.contains(folder.path.replacing("/", with: "\\/")))
        #expect(!text.contains(folder.path))
    }

    @Test(arguments: [
        (LibraryError.Code.newerVersion, true), (.damaged, true), (.migrationFailed, true),
        (.cannotOpen, true), (.database, true), (.notFound, false), (.inUse, false),
    ])
    func o28_aCommandRecordsTheFaultsOfItsLibrary(
        _ code: LibraryError.Code,
        _ isRecorded: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        let reports = try LibraryReports(directory, .errors)
        let cause = SQLiteError(.full, "No room for \(directory.registry).")
        reports.recordFailure(
            LibraryError(code, "\(directory.media)/A title.mp4: failed.", cause: cause),
            of: "list"
        )
        let all = await reports.all()
        guard isRecorded else { return #expect(all.isEmpty) }
        let report = try #require(all.first)
        #expect(report.context == ["error_type": "database", "operation": "list"])
        #expect(report.errors.map(\.code) == [code.rawValue, "full"])
        #expect(
            report.errors.map(\.message)
                == ["the library: failed.", "No room for the library/registry.sqlite."]
        )
    }

    @Test func aFailureOfTheCatalogsStoreIsReported() async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        test.library.messages.post(CatalogStoreFailed(error: LibraryError(.cannotOpen, "No.")))
        let report = try #require(await reports.all().first)
        #expect(report.errors.first?.code == "cannotOpen")
        #expect(report.context == ["operation": "catalog"])
    }

    private struct CannotWrite: Error {
        let address: String
    }

    private static let causes: [(any Error, String)] = [
        (CannotWrite(address: "file:///home/hunter%202"), "Its text contains a path."),
        (SystemError("write", path: "/home/hunter2", number: EIO), "Its text contains a path."),
        (SystemError("write", number: EIO), "write: Input/output error"),
    ]

    @Test(arguments: causes)
    func o28_aFailureOfTheNotificationsIsReportedWithoutPaths(
        _ cause: any Error,
        _ text: String
    ) async throws {
        let test = try TestLibrary()
        let directory = test.library.directory
        let reports = try LibraryReports(directory, .errors)
        reports.follow(test.library)
        let path = directory.notifications
        let error = UserNotificationError(.storeFailed, "No store at \(path).", cause: cause)
        test.library.messages.post(UserNotificationStoreFailed(error: error))
        let report = try #require(await reports.all().first)
        #expect(report.context == ["operation": "notifications"])
        #expect(
            report.errors.map(\.message) == ["No store at the library/notifications.json.", text]
        )
    }

    @Test func aPictureThatIsNotCopiedIsNoReport() async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        reports.follow(test.library)
        let picture = NotificationAttachmentNotCopied(
            identifier: "a",
            path: "/home/hunter2/a.png",
            reason: .missing
        )
        test.library.messages.post(
            UserNotificationStoreFailed(error: UserNotificationError(picture))
        )
        #expect(await reports.all().isEmpty)
    }

    @Test func breadcrumbsContainNoTitlesAndAddresses() async throws {
        let report = try await report(of: "/hunter2.mp4?hunter2", ["/hunter2.mp4": file(503)])
        let texts = report.breadcrumbs.map(\.text).filter { !$0.hasPrefix("Connectivity") }
        #expect(texts.first == "DownloadQueued item 1")
        #expect(texts.last == "DownloadFailed item 1 status")
        #expect(!texts.joined().contains("hunter2"))
        #expect(!texts.contains { $0.hasPrefix("DownloadProgressed") || $0.contains("Reports") })
    }

    @Test func allPartsOfAReportAreFreeOfSecrets() async throws {
        let report = try await report(
            of: "/v/a.mp4?Policy=hunter2&sig=hunter2",
            ["/v/a.mp4": file(503)]
        )
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains(NSHomeDirectory() + "/"))
    }

    @Test func theValuesCountQueuedItemsAndVideos() async throws {
        let test = try TestLibrary()
        let reports = try LibraryReports(test.library.directory, .errors)
        for name in ["a", "b"] {
            _ = try await test.library.enqueue(try test.request("/\(name).mp4"))
        }
        reports.follow(test.library)
        let failure = LibraryError(.database, "No.")
        test.library.messages.post(RegistryFailed(operation: "x", error: failure))
        #expect(await reports.all().first?.values["download_queue_size"] == 2)
    }
}
