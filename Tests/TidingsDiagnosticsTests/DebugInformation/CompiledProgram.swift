// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

/// A small C program with three functions, each inlined into the next one.
struct CompiledProgram {
    static let source = """
        volatile int sink;
        static inline __attribute__((always_inline)) int innermost(int value) {
            return sink += value * 3;
        }
        static inline __attribute__((always_inline)) int middle(int value) {
            sink += 1;
            return innermost(value + 2);
        }
        __attribute__((noinline)) int outermost(int value) {
            sink += 2;
            return middle(value + 1) + 5;
        }
        int main(int count, char **texts) { return outermost(count); }

        """

    let folder: TemporaryFolder
    let path: String

    init(_ options: String...) throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/program"
        try Self.source.write(toFile: "\(folder.path)/program.c", atomically: true, encoding: .utf8)
        try Self.output(of: ["clang", "-O2", "program.c", "-o", path] + options, in: folder.path)
    }

    /// Returns the addresses of a function's symbol.
    func addresses(of symbol: String) throws -> Range<UInt64> {
        let lines = try Self.output(of: ["llvm-nm", "--print-size", path], in: folder.path)
        let fields = try #require(
            lines.split(separator: "\n").map { $0.split(separator: " ") }.first {
                $0.last == symbol[...]
            }
        )
        let start = try #require(UInt64(fields[0], radix: 16))
        let size = try #require(UInt64(fields[1], radix: 16))
        return start..<start + size
    }

    /// Returns the functions at each address of a function's symbol.
    func functions(in symbol: String) throws -> [[DebugInformation.Function]] {
        let addresses = try addresses(of: symbol)
        let file = try #require(ProgramFile(path))
        return file.withSections { DebugInformation($0).functions(at: AddressSet(addresses)) }
    }

    /// Runs a program with a string as the input and returns the output.
    @discardableResult
    static func output(
        of arguments: [String],
        in folder: String,
        input: String = ""
    ) throws -> String {
        let file = "\(folder)/input"
        try input.write(toFile: file, atomically: true, encoding: .utf8)
        return try ChildProgram.output(of: arguments, in: folder, readingFrom: file)
    }
}
#endif
