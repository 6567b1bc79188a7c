// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsResources

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(15)))
final class JSONFileStoreTests {
    private struct Lesson: Codable, Hashable, Sendable {
        var id: Int
        var title: String
    }

    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "tidings-store-\(UUID().uuidString)")
    private let lessons = [Lesson(id: 1, title: "Ä"), Lesson(id: 2, title: "B")]

    private var file: URL { folder.appending(path: "deep/lessons.json") }
    private var store: JSONFileStore<[Lesson]> { JSONFileStore(at: file) }

    private var names: [String] {
        let folder = file.deletingLastPathComponent().path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func put(_ content: String) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
    }

    private func failure(_ body: () async throws -> Void) async -> JSONFileStoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? JSONFileStoreError
        }
    }

    @Test func readsWhatItWrites() async throws {
        #expect(try await store.read() == nil)
        try await store.write(StoredCopy(lessons))
        #expect(try await store.read()?.value == lessons)
        try await store.write(StoredCopy([]))
        #expect(try await store.read()?.value == [])
        #expect(names == ["lessons.json"])
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(rights as? Int == 0o600)
    }

    @Test(arguments: [Duration.milliseconds(1_700_000_000_123), .seconds(-1), nil])
    func s9_theFileKeepsTheTimeOfTheLoad(loadedAt: Duration?) async throws {
        let copy = StoredCopy(lessons, loadedAt: loadedAt)
        try await store.write(copy)
        #expect(try await store.read() == copy)
    }

    @Test func aTimeBeyondEveryCalendarIsNoTime() async throws {
        try await store.write(StoredCopy(lessons, loadedAt: .seconds(Int64.max)))
        #expect(try await store.read() == StoredCopy(lessons))
    }

    @Test func aFileWithoutATimeHasNone() async throws {
        try put(#"{"version":1,"value":[{"id":1,"title":"Ä"},{"id":2,"title":"B"}]}"#)
        #expect(try await store.read() == StoredCopy(lessons))
    }

    @Test func severalStoresOfOneFileLeaveItComplete() async throws {
        let values = (1...4).map { Array(repeating: Lesson(id: $0, title: "lesson"), count: 2_000) }
        try await store.write(StoredCopy(values[0]))
        try await withThrowingTaskGroup { [file] group in
            for value in values {
                group.addTask {
                    let store = JSONFileStore<[Lesson]>(at: file)
                    for _ in 0..<20 {
                        try await store.write(StoredCopy(value))
                        #expect(try await store.read()?.value.count == 2_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(names == ["lessons.json"])
    }

    @Test func removingDeletesTheFileAndItsRenamedCopies() async throws {
        try put("{")
        _ = await failure { _ = try await store.read() }
        try await store.write(StoredCopy(lessons))
        #expect(names.count == 2)
        try await store.remove()
        #expect(names == [])
        try await store.remove()
        #expect(try await store.read() == nil)
    }

    @Test func removingLeavesUnrelatedFiles() async throws {
        try await store.write(StoredCopy(lessons))
        let others = [
            "lessons.json.damaged-report.txt", "lessons.json.parts", "lessons.json.version-2.md",
            "lessons.json5",
        ]
        for other in others {
            let path = file.deletingLastPathComponent().appending(path: other).path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
        }
        try await store.remove()
        #expect(names == others)
    }

    @Test(arguments: [
        "", "{", "[]", "{\"version\":1}", "{\"version\":1,\"value\":7}", "\u{0}\u{ff}",
    ])
    func anIncompleteFileIsRenamed(content: String) async throws {
        try put(content)
        let error = await failure { _ = try await store.read() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(".damaged") == true)
        #expect(names == ["lessons.json.damaged"])
        #expect(try await store.read() == nil)
        let kept = try Data(contentsOf: file.appendingPathExtension("damaged"))
        #expect(kept == Data(content.utf8))
        try await store.write(StoredCopy(lessons))
        #expect(try await store.read()?.value == lessons)
    }

    @Test func aSecondIncompleteFileDoesNotReplaceTheFirst() async throws {
        for _ in 0..<12 {
            try put("{")
            let error1 = await failure { _ = try await store.read() }
            #expect(error1?.code == .damaged)
        }
        #expect(names.count == 9)
    }

    @Test func aNewerVersionStaysAndIsRenamedWhenItIsReplaced() async throws {
        try await JSONFileStore<String>(at: file, version: 3).write(StoredCopy("from the future"))
        let error = await failure { _ = try await store.read() }
        #expect(error?.code == .newerVersion)
        #expect(names == ["lessons.json"])
        try await store.write(StoredCopy(lessons))
        #expect(names == ["lessons.json", "lessons.json.version-3"])
        #expect(try await store.read()?.value == lessons)
    }

    @Test func anOlderVersionIsIgnored() async throws {
        try await store.write(StoredCopy(lessons))
        #expect(try await JSONFileStore<String>(at: file, version: 2).read() == nil)
        #expect(names == ["lessons.json"])
    }

    @Test func aFileThatIsTooLargeIsNotRead() async throws {
        try await store.write(StoredCopy(lessons))
        let small = JSONFileStore<[Lesson]>(at: file, byteLimit: 20)
        let error2 = await failure { _ = try await small.read() }
        #expect(error2?.code == .tooLarge)
        let error3 = await failure { [lessons] in try await small.write(StoredCopy(lessons)) }
        #expect(error3?.code == .tooLarge)
        #expect(try await store.read()?.value == lessons)
    }

    @Test func aFolderInItsPlaceIsNotReadAndNotReplaced() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let error4 = await failure { _ = try await store.read() }
        #expect(error4?.code == .notReadable)
        let error = await failure { try await store.write(StoredCopy(lessons)) }
        #expect(error?.code == .notWritable)
        #expect(error?.message.contains("rename") == true)
        #expect(names == ["lessons.json"])
    }

    @Test func aValueThatJSONCannotEncodeIsRejected() async throws {
        let numbers = JSONFileStore<[Double]>(at: file)
        try await numbers.write(StoredCopy([1]))
        let error5 = await failure { try await numbers.write(StoredCopy([.infinity])) }
        #expect(error5?.code == .notEncodable)
        #expect(try await numbers.read()?.value == [1])
    }

    /// Temporary files of a program that was killed while writing.
    ///
    /// The next write removes such a file.
    @Test func temporaryFilesOfAKilledProgramAreRemoved() async throws {
        try await store.write(StoredCopy(lessons))
        // No process has this number, because the system's limit is lower.
        let stray = file.appendingPathExtension("part-\(Int32.max)-1")
        try Data("{".utf8).write(to: stray)
        try await store.write(StoredCopy(lessons))
        #expect(names == ["lessons.json"])
    }

    @Test func aFullDiskHasItsOwnCode() throws {
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        do throws(SystemError) {
            try SystemFile.write(Data([1]), to: device)
            Issue.record("the device is not full")
        } catch {
            #expect(error.isFullDisk)
            #expect(store.writeError(error).code == .diskFull)
        }
    }

    @Test func manyWritersLeaveACompleteFile() async throws {
        let store = store
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    try await store.write(StoredCopy([Lesson(id: number, title: "\(number)")]))
                    _ = try await store.read()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read()?.value.count == 1)
        #expect(names == ["lessons.json"])
    }

    @Test func aResourceFallsBackToTheFile() async throws {
        try await store.write(StoredCopy(lessons))
        let resource = Resource<[Lesson]>(store: store) { throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await resource.refresh() }
        #expect(resource.lastData == lessons)
        resource.reset()
        await resource.flush()
        #expect(names == [])
    }
}
