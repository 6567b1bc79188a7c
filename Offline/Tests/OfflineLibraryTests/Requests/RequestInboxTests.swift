// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RequestInboxTests {
    private let folder: TemporaryFolder
    private let directory: LibraryDirectory
    private let inbox: RequestInbox

    init() throws {
        folder = try TemporaryFolder()
        directory = LibraryDirectory(path: folder.path + "/library")
        inbox = RequestInbox(directory)
    }

    private func request(_ path: String, again: Bool = false) throws -> DownloadRequest {
        let origin = try ItemOrigin(text: "http://media.invalid/\(path)")
        let choice = RequestedChoice(MediaChoice(quality: .height(480)))
        return DownloadRequest(origin, choice: choice, again: again)
    }

    private func open() throws -> Library {
        var configuration = LibraryConfiguration(directory: directory)
        configuration.connectivity = ManualConnectivity()
        return try Library(configuration)
    }

    @Test func o1_theNextOpeningMakesAnItemOfAStoredRequest() async throws {
        let name = try inbox.add(StoredRequest(try request("film")))
        let library = try open()
        let item = try #require(try library.journal.items.items().first)
        #expect(item.origin.text == "http://media.invalid/film")
        #expect(item.choice.quality == .height(480))
        #expect(item.state == .queued)
        #expect(!inbox.contains(name))
        #expect(try !inbox.withdraw(name))
        await library.stop()
    }

    @Test func o1_aRequestWithLongHeadersIsNotSetAside() async throws {
        var options = RequestOptions()
        options.headers = [HTTPHeader("Authorization", String(repeating: "/", count: 32_000))]
        let address = "http://media.invalid/" + String(repeating: "a/", count: 1_500)
        var long = DownloadRequest(try ItemOrigin(text: address))
        try long.setOptions(options)
        _ = try inbox.add(StoredRequest(long))
        let library = try open()
        #expect(try library.journal.items.items().map(\.origin.text) == [address])
        await library.stop()
    }

    @Test func requestsBecomeItemsInTheirOrder() async throws {
        for path in ["first", "second", "third"] {
            _ = try inbox.add(StoredRequest(try request(path)))
        }
        let library = try open()
        let titles = try library.journal.items.items().map(\.title)
        #expect(titles == ["third", "second", "first"])
        await library.stop()
    }

    @Test func aWithdrawnRequestMakesNoItem() async throws {
        let name = try inbox.add(StoredRequest(try request("film")))
        #expect(try inbox.withdraw(name))
        let library = try open()
        #expect(try library.journal.items.items().isEmpty)
        await library.stop()
    }

    @Test(arguments: [false, true])
    func aRequestThatIsReadTwiceMakesOneItem(again: Bool) async throws {
        let stored = StoredRequest(try request("film", again: again))
        _ = try inbox.add(stored)
        let library = try open()
        // A kill between the commit of the item and the removal of the request leaves this state.
        _ = try inbox.add(stored)
        library.open.importRequests()
        #expect(try library.journal.items.items().count == 1)
        await library.stop()
    }

    @Test func twoRequestsForNewItemsMakeTwo() async throws {
        let date = Date()
        for offset in [0, 1] {
            let request = try request("film", again: true)
            _ = try inbox.add(StoredRequest(request, at: date + Double(offset)))
        }
        let library = try open()
        #expect(try library.journal.items.items().count == 2)
        await library.stop()
    }

    @Test(arguments: ["", "{", "[1]", #"{"origin":7}"#, String(repeating: "x", count: 1 << 17)])
    func aFileThatIsNoRequestIsSetAside(_ content: String) async throws {
        try SystemFile.makeFolder(directory.requests)
        let path = directory.requests + "/1-a.json"
        try SystemFile.create(path, content: Data(content.utf8))
        _ = try inbox.add(StoredRequest(try request("film")))
        let library = try open()
        #expect(try library.journal.items.items().count == 1)
        #expect(SystemFile.names(in: directory.requests) == ["1-a.json.damaged"])
        await library.stop()
    }

    @Test(arguments: ["import:../../etc/passwd", "sample:stream", "file:///etc/passwd", "x"])
    func onlyAddressesAreTaken(_ origin: String) async throws {
        try SystemFile.makeFolder(directory.requests)
        let json = """
            {"origin":"\(origin)","quality":"best","allowsPrivateAddresses":true,"again":false,\
            "date":1}
            """
        let path = directory.requests + "/1-a.json"
        try SystemFile.create(path, content: Data(json.utf8))
        let library = try open()
        #expect(try library.journal.items.items().isEmpty)
        await library.stop()
    }

    @Test func aRunningLibraryDownloadsARequestThatArrives() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/file": ["text": "file"]])
        let ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        await test.start()
        let stored = StoredRequest(try test.request("/file"))
        _ = try RequestInbox(test.library.directory).add(stored)
        #expect(try await ends.next().item.title == "file")
        await test.library.stop()
    }

    @Test func aLibraryStartedForOneItemDownloadsARequestThatArrives() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/one": ["text": "1", "gate": "go"], "/two": ["text": "2"], "/other": ["text": "3"],
        ])
        let other = try await test.library.enqueue(try test.request("/other")).item
        let one = try await test.library.enqueue(try test.request("/one")).item
        let ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        await test.library.start(only: [one.id])
        let stored = StoredRequest(try test.request("/two"))
        _ = try RequestInbox(test.library.directory).add(stored)
        #expect(try await ends.next().item.title == "two")
        #expect(try test.library.item(other.id).state == .queued)
        await test.library.stop()
    }
}
