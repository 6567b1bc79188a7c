// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if os(Linux) && !THREAD_SANITIZER
/// The check of what the handler calls sees what may not be called.
@Suite(.timeLimit(.minutes(5)))
struct CrashSymbolsTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let folder: TemporaryFolder

    /// A copy of the handler, to be changed.
    init() throws {
        folder = try TemporaryFolder()
        let sources = Self.root.appending(path: "Sources/CTidingsCrash")
        try FileManager.default.copyItem(
            at: sources,
            to: URL(filePath: folder.path).appending(path: "handler")
        )
    }

    /// Runs the script and returns what it says; nil when it is content.
    private func check() throws -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Self.root.appending(path: "Scripts/check-crash-symbols.sh")
        process.arguments = ["\(folder.path)/handler"]
        process.standardError = pipe
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: text, as: UTF8.self)
    }

    @Test func promise1_theHandlerCallsNothingButWhatIsListed() throws {
        #expect(try check() == nil)
    }

    @Test(arguments: ["malloc(8)", "printf(\"%p\", context)", "pthread_self()"])
    func promise1_aCallThatIsNotListedIsSeen(_ call: String) throws {
        let source = """
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>
            void *crash_more(void *context) { return (void *)(size_t)\(call); }
            """
        try source.write(toFile: "\(folder.path)/handler/more.c", atomically: true, encoding: .utf8)
        let text = try #require(try check())
        let name = call.prefix { $0 != "(" }
        #expect(text.contains("does not allow: \(name)\n"), "\(text)")
    }

    @Test func promise1_whatNothingCallsIsNotListed() throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/handler/text.c")
        let text = try #require(try check())
        #expect(text.contains("crash_text_release"), "\(text)")
    }
}
#endif
