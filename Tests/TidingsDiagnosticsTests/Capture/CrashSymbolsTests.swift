// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

#if os(Linux) && !THREAD_SANITIZER
/// The check of the handler's symbols, which detects forbidden calls.
@Suite(.timeLimit(.minutes(15)))
struct CrashSymbolsTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let folder: TemporaryFolder

    /// Copies the sources of the handler for changes by a test.
    init() throws {
        folder = try TemporaryFolder()
        let sources = Self.root.appending(path: "Sources/CTidingsCrash")
        try FileManager.default.copyItem(
            at: sources,
            to: URL(filePath: folder.path).appending(path: "handler")
        )
    }

    /// Runs the script and returns the error output, or nil after a success.
    private func check() throws -> String? {
        let script = Self.root.appending(path: "Scripts/check-crash-symbols.sh").path
        let program = try ChildProgram([
            "sh", "-c", "exec \"$0\" \"$1\" 2>&1 >/dev/null", script, "\(folder.path)/handler",
        ])
        let text = program.readToEnd()
        return program.waitUntilExit() == 0 ? nil : String(decoding: text, as: UTF8.self)
    }

    @Test func r1_theHandlerCallsOnlyListedFunctions() throws {
        #expect(try check() == nil)
    }

    @Test(arguments: ["malloc(8)", "printf(\"%p\", context)", "pthread_self()"])
    func r1_anUnlistedCallIsDetected(_ call: String) throws {
        let source = """
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>
            void *crash_more(void *context) { return (void *)(size_t)\(call); }
            """
        try source.write(toFile: "\(folder.path)/handler/more.c", atomically: true, encoding: .utf8)
        let text = try #require(try check())
        let name = call.prefix { $0 != "(" }
        #expect(text.contains("does not list: \(name)\n"), "\(text)")
    }

    @Test func r1_aMissingFunctionIsDetected() throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/handler/text.c")
        let text = try #require(try check())
        #expect(text.contains("crash_text_release"), "\(text)")
    }
}
#endif
