// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Dispatch
import Foundation
import Testing
import TidingsFiles

@Suite(.timeLimit(.minutes(15)))
struct FolderWatchTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func makeFolder(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
        return path
    }

    /// Renames a file without replacing another file, as each write of a store does.
    private func rename(into path: String) throws {
        let name = UUID().uuidString
        _ = try folder.put("text", name)
        try FileManager.default.moveItem(
            atPath: "\(folder.path)/\(name)",
            toPath: "\(path)/\(name)"
        )
    }

    @Test func allWatchesOfAFolderAreCalledUnderEachOfItsNames() async throws {
        let path = try makeFolder("one")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link",
            withDestinationPath: path
        )
        let first = Calls(path)
        let second = Calls(path)
        let linked = Calls("\(folder.path)/link")
        try rename(into: path)
        for calls in [first, second, linked] { await calls.next() }
    }

    @Test(arguments: [false, true])
    func aWatchThatEndsTakesNoOtherWithIt(isDeleted: Bool) async throws {
        let queue = DispatchQueue(label: "calls")
        let path = try makeFolder("one")
        let other = try isDeleted ? makeFolder("two") : path
        let first = Calls(other, queue)
        let second = Calls(path, queue)
        if isDeleted {
            try FileManager.default.removeItem(atPath: other)
            await first.next()
        }
        first.end()
        try rename(into: path)
        await second.next()
        try rename(into: path)
        await second.next()
        queue.sync {}
        #expect(await first.isSilent())
    }

    @Test func aWatchIsNotCalledForAnotherFolder() async throws {
        let queue = DispatchQueue(label: "calls")
        let other = try Calls(makeFolder("one"), queue)
        let path = try makeFolder("two")
        let calls = Calls(path, queue)
        for _ in 0..<2 {
            try rename(into: path)
            await calls.next()
        }
        queue.sync {}
        #expect(await other.isSilent())
    }

    /// All watches of a process, because a user has 128 instances in all programs together.
    @Test func allWatchesOfAProcessShareOneInstance() async throws {
        let paths = try (0..<200).map { try makeFolder("\($0)") }
        let watches = paths.map { Calls($0) }
        #expect(try instances() == 1)
        for (path, calls) in zip(paths, watches) {
            try rename(into: path)
            await calls.next()
        }
    }

    private func instances() throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count {
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder)/\($0)"
            )
            return target == "anon_inode:inotify"
        }
    }
}

/// The calls of the handler of one watch.
private final class Calls: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let watch: FolderWatch

    init(_ folder: String, _ queue: DispatchQueue? = nil) {
        (stream, continuation) = AsyncStream.makeStream()
        watch = FolderWatch(folder, on: queue) { [continuation] in continuation.yield() }
    }

    /// Waits for the next call.
    func next() async { for await _ in stream { return } }

    func end() { watch.cancel() }

    /// Whether all calls have been waited for.
    func isSilent() async -> Bool {
        continuation.finish()
        for await _ in stream { return false }
        return true
    }
}
#endif
