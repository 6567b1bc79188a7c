// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsDiagnostics

/// Processes that share a directory.
@Suite(.timeLimit(.minutes(5)))
struct RunProcessTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    @Test(arguments: [2, 10])
    func promise9_eachEndedRunIsTakenByOneProcessAndALivingOneByNone(_ count: Int) async throws {
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
                        try takeRuns(in: path, number)
                    }
                }
            }
            try await group.waitForAll()
        }
        var taken = RunFolder.takeEnded(in: place.path, limit: 1_000).map(\.path)
        var living: [String] = []
        for number in 0..<count {
            taken += try place.text(of: "taken-\(number)").split(separator: "\n").map(String.init)
            living.append(try place.text(of: "own-\(number)"))
        }
        #expect(taken.sorted() == (ended + living).sorted())
    }

    /// Opens the gate once so many processes are there.
    private func beginTogether(_ count: Int) throws {
        let gate = try FileLock.make(place.path + "/gate")
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
        facts: .current(
            application: "a",
            release: "b",
            started: Date(timeIntervalSince1970: TimeInterval(number))
        )
    )
}

/// Takes ended runs beside other processes that do the same, and ends.
private func takeRuns(in path: String, _ number: Int) throws {
    let own = try makeRun(in: path, 1_000 + number)
    try own.path.write(toFile: "\(path)/own-\(number)", atomically: false, encoding: .utf8)
    let ready = open("\(path)/ready", O_WRONLY | O_CLOEXEC)
    try #require(write(ready, "r", 1) == 1)
    let gate = open("\(path)/gate", O_RDWR | O_CLOEXEC)
    try #require(flock(gate, LOCK_SH) == 0)
    var taken: [String] = []
    while true {
        let runs = RunFolder.takeEnded(in: path, except: own, limit: 3)
        if runs.isEmpty { break }
        taken += runs.map(\.path)
        for run in runs { try #require(run.remove()) }
    }
    let text = taken.joined(separator: "\n")
    try text.write(toFile: "\(path)/taken-\(number)", atomically: false, encoding: .utf8)
    try #require(FileIdentity(of: own.path, S_IFDIR, owner: geteuid()) != nil)
    // The system gives the lock back, as after every end of a process.
    exit(EXIT_SUCCESS)
}
