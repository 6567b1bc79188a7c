// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The callers behind code without frame records, in the report of another process.
@Suite(.timeLimit(.minutes(15)))
struct CrashCallersTests {
    private static let missing = "[callers without frame records are missing]"

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test(arguments: [CrashWay.ThreadKind.thread, .dispatch, .task])
    func r25_theCallersBehindAComparisonOfTheCLibraryAreReported(
        _ kind: CrashWay.ThreadKind
    ) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String, kind = kind as CrashWay.ThreadKind] in
            try CrashFixture.arm(path)
            await crash(.comparison, on: kind)
        }
        let frames = fixture.report(try #require(try fixture.capture())).frames
        let names = frames.map { $0.function ?? "" }
        let comparison = try #require(names.firstIndex { $0.hasPrefix("closure #1 in crashOn") })
        let sorting = try #require(names.firstIndex { $0.hasPrefix("crashOnPurpose(_:_:)") })
        let caller = try #require(names.firstIndex { $0.hasPrefix("callCrash") })
        #expect(comparison < sorting && sorting < caller, "\(names)")
        #expect(frames[comparison..<sorting].contains { $0.image?.hasPrefix("libc.so") == true })
        // The tables lead to the first function of the thread, so no caller is a guess.
        #expect(frames.allSatisfy { $0.kind != .scanned } && !names.contains(Self.missing))
    }

    /// Compiles a library whose function calls another function without a frame record.
    private func library(_ options: String...) throws -> String {
        let source = "int call(int (*function)(int), int value) { return function(value) + 1; }\n"
        let folder = fixture.folder.path
        try source.write(toFile: "\(folder)/call.c", atomically: true, encoding: .utf8)
        let arguments = ["clang", "-O2", "-fomit-frame-pointer", "-shared", "-fPIC", "call.c"]
        try CompiledProgram.output(
            of: arguments + ["-Wl,--build-id", "-o", "call.so"] + options,
            in: folder
        )
        return "\(folder)/call.so"
    }

    @Test func r25_theCallerOfALibraryWithoutFrameRecordsIsReported() async throws {
        let library = try library()
        try await end(through: library)
        let frames = fixture.report(try #require(try fixture.capture())).frames
        let index = try #require(frames.firstIndex { $0.image == "call.so" })
        #expect(frames[index].kind == .call && frames[index].function == "call")
        #expect(frames[index + 1].function?.hasPrefix("crashThroughLibrary") == true, "\(frames)")
        #expect(frames.allSatisfy { $0.kind != .scanned && $0.function != Self.missing })
    }

    @Test func r25_withoutTablesItsCallerIsAmongThePossibleOnes() async throws {
        let library = try library("-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
        try await end(through: library)
        let frames = fixture.report(try #require(try fixture.capture())).frames
        let index = try #require(frames.firstIndex { $0.image == "call.so" })
        let rest = frames[(index + 1)...]
        #expect(rest.first?.kind == .scanned, "\(frames)")
        #expect(
            rest.contains {
                $0.kind == .scanned && $0.function?.hasPrefix("crashThroughLibrary") == true
            }
        )
    }

    private func end(through library: String) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String, library = library as String] in
            try CrashFixture.arm(path)
            Thread.detachNewThread { _ = crashThroughLibrary(library) }
            await waitForEnd()
        }
    }

    @Test func r20_ofAFramePointerOnlyItsPlaceIsStored() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let (stack, code) = (StrangeMemory.map(16), StrangeMemory.returnAddress())
            let start = stack + 4_096
            // The words are a frame pointer, pointers to stack data, and a backward pointer.
            StrangeMemory.store([start + 64, start + 80, start + 83, start], at: start + 8)
            StrangeMemory.store([0x7465_7263_6573, code, 0x7465_7263_6573], at: start + 64)
            await StrangeMemory.crash(stack: start, frame: 0)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.stack.links == [1: 8] && capture.stack.calls == [9])
        let architecture = try #require(capture.architecture)
        #expect(capture.stack.top == capture.registers[architecture.stackPointer])
        let bytes = try Data(contentsOf: URL(filePath: "\(fixture.folder.path)/0"))
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
    }
}

/// Crashes through a library and uses the own frame after the call.
@inline(never)
@_optimize(none)
private func crashThroughLibrary(_ path: String) -> Int32 {
    typealias Function = @convention(c) (Int32) -> Int32
    typealias Call = @convention(c) (Function, Int32) -> Int32
    guard let library = dlopen(path, RTLD_NOW), let symbol = dlsym(library, "call") else {
        return 0
    }
    let call = unsafeBitCast(symbol, to: Call.self)
    return call({ _ in Int32(crashOnPurpose(.badPointer, 1)) }, 1) &+ 1
}
#endif
