// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct OutputFileTests {
    private func append(_ text: String, to file: OutputFile) throws {
        try Array(text.utf8).withUnsafeBytes { try file.append($0) }
    }

    @Test func truncatesToTheKeptLengthAndAppends() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/partial"
        let first = try OutputFile(path: path, keeping: 0)
        try append("hello world", to: first)
        let second = try OutputFile(path: path, keeping: 5)
        try append("!", to: second)
        #expect(second.length == 6)
        #expect(try second.sync() == 6)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello!")
    }

    @Test func neverFollowsALink() throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/target"
        try "precious".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/partial",
            withDestinationPath: target
        )
        #expect(throws: SystemError.self) {
            try OutputFile(path: folder.path + "/partial", keeping: 0)
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    }
}
