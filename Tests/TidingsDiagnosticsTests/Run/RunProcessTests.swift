// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles
import TidingsLock

@testable import TidingsDiagnostics

/// Several processes that share a directory.
@Suite(.timeLimit(.minutes(15)))
struct RunProcessTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    @Test(arguments: [2, 10])
    func r9_eachEndedRunIsAcquiredByOneProcessAndARunningOneByNone(_ count: Int) async throws {
        let ended = try (0..<100).map { number in
            let folder = try makeRun(in: place.path, number)
            folder.release()
            return folder.path
        }
        try beginTogether(count)
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask { [path = place.path] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, number = number as Int] in
                        try acquireRuns(in: path, number)
                    }
                }
            }
            try await group.waitForAll()
        }
        var taken = RunFolder.acquireEnded(in: place.path, limit: 1_000).map(\.path)
        var living: [String] = []
        for number in 0..<count {
            taken += try lines(of: "taken-\(number)")
            living += try lines(of: "living-\(number)")
        }
        #expect(taken.sorted() == (ended + living).sorted())
    }

    private func lines(of name: String) throws -> [String] {
        try place.text(of: name).split(separator: "\n").map(String.init)
    }

    /// Releases the lock when `count` processes are ready.
    private func beginTogether(_ count: Int) throws {
        let gate = try FileLock.create(place.path + "/gate")
        try #require(mkfifo(place.path + "/ready", 0o600) == 0)
        let ready = open(place.path + "/ready", O_RDWR | O_CLOEXEC)
        let held = Lock<FileLock?>(gate)
        Thread.detachNewThread {
            var byte: UInt8 = 0
            for _ in 0..<count { _ = read(ready, &byte, 1) }
            held.withLock { $0 = nil }
            close(ready)
        }
    }
}

private func makeRun(in path: String, _ number: Int) throws -> RunFolder {
    try RunFolder.create(
        in: path,
        metadata: .current(
            application: "a",
            release: "b",
            started: Date(timeIntervalSince1970: TimeInterval(number))
        )
    )
}

/// Acquires ended runs while other processes do the same, and exits.
private func acquireRuns(in path: String, _ number: Int) throws {
    let first = try makeRun(in: path, 0)
    let ready = open("\(path)/ready", O_WRONLY | O_CLOEXEC)
    try #require(write(ready, "r", 1) == 1)
    let gate = open("\(path)/gate", O_RDWR | O_CLOEXEC)
    try #require(flock(gate, LOCK_SH) == 0)
    var taken: [String] = []
    var living = [first]
    while true {
        // All processes compete for the same run.
        let runs = RunFolder.acquireEnded(in: path, except: first, limit: 1)
        if runs.isEmpty { break }
        living.append(try makeRun(in: path, living.count))
        taken += runs.map(\.path)
        for run in runs { try #require(run.remove()) }
    }
    let text = taken.joined(separator: "\n")
    try text.write(toFile: "\(path)/taken-\(number)", atomically: false, encoding: .utf8)
    let own = living.map(\.path).joined(separator: "\n")
    try own.write(toFile: "\(path)/living-\(number)", atomically: false, encoding: .utf8)
    for run in living {
        try #require(FileIdentity(of: run.path, S_IFDIR, owner: geteuid()) != nil)
    }
    // The system releases the locks, as after every end of a process.
    exit(EXIT_SUCCESS)
}
