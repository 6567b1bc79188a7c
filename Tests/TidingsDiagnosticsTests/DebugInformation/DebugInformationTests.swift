// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(30)))
struct DebugInformationTests {
    private typealias Function = DebugInformation.Function
    private typealias Symbol = (name: Substring, range: Range<UInt64>)

    @Test(arguments: ["-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gdwarf64"])
    func r22_everyInlinedLevelHasItsFunctionFileAndLine(_ options: String) throws {
        let format = options.split(separator: " ").map(String.init)
        let program = try CompiledProgram(format[0], format.last ?? "", "-ffunction-sections")
        let found = try program.functions(in: "outermost")
        let deepest = try #require(found.first { $0.count == 3 })
        let file = "\(program.folder.path)/program.c"
        #expect(
            deepest == [
                Function(name: "innermost", file: file, line: 3, isInlined: true),
                Function(name: "middle", file: file, line: 7, isInlined: true),
                Function(name: "outermost", file: file, line: 11, isInlined: false),
            ]
        )
        #expect(found.contains { $0.map(\.name) == ["middle", "outermost"] && $0[0].line == 6 })
        #expect(found.allSatisfy { $0.last?.name == "outermost" })
    }

    @Test func aProgramWithoutDebugInformationHasTheLinkersNames() throws {
        let program = try CompiledProgram("-g0")
        let expected = Function(name: "outermost", file: nil, line: nil, isInlined: false)
        #expect(try program.functions(in: "outermost").allSatisfy { $0 == [expected] })
    }

    @Test func compressedDebugInformationCountsAsNone() throws {
        let program = try CompiledProgram("-g", "-Wl,--compress-debug-sections=zlib")
        let expected = Function(name: "outermost", file: nil, line: nil, isInlined: false)
        #expect(try program.functions(in: "outermost").allSatisfy { $0 == [expected] })
    }

    @Test func anUnknownAddressHasNoFunction() throws {
        let program = try CompiledProgram("-g")
        let file = try #require(ProgramFile(program.path))
        let addresses = AddressSet([0, 1, UInt64.max - 1, UInt64.max])
        let found = file.withSections { DebugInformation($0).functions(at: addresses) }
        #expect(found == [[], [], [], []])
    }

    @Test func onlyARegularFileIsRead() throws {
        #expect(MappedFile("/nowhere") == nil)
        #expect(MappedFile("/") == nil)
        #expect(MappedFile("/dev/null") == nil)
        #expect(ProgramFile("/etc/passwd") == nil)
    }

    // The sanitizer's functions have several names, and the two readers choose different names.
    #if !THREAD_SANITIZER
    /// Compares the results of two readers.
    ///
    /// The addresses lie in this suite's own functions, and in many functions of this program: the
    /// first address and two random addresses each.
    @Test func r22_anotherReaderFindsTheSameFunctions() throws {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = try TemporaryFolder()
        let wanted = ProcessInfo.processInfo.environment["TIDINGS_SYMBOLS"]
        let count = wanted.flatMap { Int($0) } ?? 200
        var random = SeededGenerator(22)
        let functions = try Self.symbols(of: path, in: folder.path)
        let known = try Self.knownPlaces(in: functions)
        let drawn = Self.places(in: functions.map(\.range), count, using: &random)
        let places = known.union(drawn).sorted()
        let input = places.map { "0x\(String($0, radix: 16))\n" }.joined()
        let output = try CompiledProgram.output(
            of: ["llvm-symbolizer", "--obj=\(path)", "--inlines", "--no-demangle"],
            in: folder.path,
            input: input
        )
        let theirs = output.components(separatedBy: "\n\n").map(Self.functions)
        let addresses = AddressSet(places)
        let file = try #require(ProgramFile(path))
        let ours = file.withSections { DebugInformation($0).functions(at: addresses) }
        try #require(theirs.count >= places.count)
        for (place, (own, other)) in zip(places, zip(ours, theirs)) {
            // Without debug information, the other reader takes a file from the symbol table.
            if own.allSatisfy({ $0.file == nil }) { continue }
            #expect(own == other, "at \(String(place, radix: 16)), \(random)")
        }
        // The drawn functions may include no function with inlined functions.
        let inSuite = zip(places, ours).filter { known.contains($0.0) }.map(\.1)
        #expect(inSuite.contains { $0.count > 1 })
        #expect(inSuite.count { $0.first?.line != nil } > inSuite.count / 8)
    }

    /// Returns the names and the addresses of a program's functions.
    private static func symbols(of path: String, in folder: String) throws -> [Symbol] {
        let symbols = try CompiledProgram.output(
            of: ["llvm-nm", "--print-size", "--defined-only", path],
            in: folder
        )
        let functions = symbols.split(separator: "\n").compactMap { line -> Symbol? in
            let fields = line.split(separator: " ")
            guard fields.count == 4, "tTwW".contains(fields[2]),
                let start = UInt64(fields[0], radix: 16), let size = UInt64(fields[1], radix: 16),
                size > 0
            else { return nil }
            return (fields[3], start..<start + size)
        }
        try #require(functions.count > 1_000)
        return functions
    }

    /// Returns many addresses of this suite's functions, which have lines and inlined functions.
    ///
    /// The compiler shortens the name of the suite in function names.
    private static func knownPlaces(in functions: [Symbol]) throws -> Set<UInt64> {
        let suite = try #require(_mangledTypeName(Self.self))
        let own = functions.filter { $0.name.hasPrefix("$s\(suite)") }
        try #require(!own.isEmpty, "no function's name starts with \(suite)")
        return Set(
            own.flatMap { stride(from: $0.range.lowerBound, to: $0.range.upperBound, by: 16) }
        )
    }

    private static func places(
        in functions: [Range<UInt64>],
        _ count: Int,
        using random: inout SeededGenerator
    ) -> Set<UInt64> {
        var places: Set<UInt64> = []
        for range in functions.shuffled(using: &random).prefix(count) {
            places.insert(range.lowerBound)
            for _ in 0..<2 { places.insert(.random(in: range, using: &random)) }
        }
        return places
    }

    /// Parses a line with a name, and a line with file, line and column, for each function.
    private static func functions(_ text: String) -> [Function] {
        let lines = text.split(separator: "\n")
        return stride(from: 0, to: lines.count - 1, by: 2).map { index in
            let place = lines[index + 1].split(separator: ":", omittingEmptySubsequences: false)
            let line = place.count > 1 ? Int(place[1]) : nil
            return Function(
                name: String(lines[index]),
                file: place[0] == "??" ? nil : String(place[0]),
                line: line == 0 ? nil : line,
                isInlined: index + 2 < lines.count - 1
            )
        }
    }
    #endif

    @Test(arguments: 0..<8)
    func r11_malformedDebugInformationEndsNoProcess(_ part: Int) throws {
        let program = try CompiledProgram(part.isMultiple(of: 2) ? "-gdwarf-4" : "-gdwarf-5")
        let bytes = try Data(contentsOf: URL(filePath: program.path))
        let sections = try #require(ProgramFile(program.path))
        let places = (0..<64).map { UInt64($0) * 64 }
        var random = SeededGenerator(UInt64(part))
        for _ in 0..<30 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                let names = [".debug_info", ".debug_abbrev", ".debug_line", ".symtab"]
                let range = sections.range(of: names.randomElement(using: &random) ?? "") ?? 0..<64
                let isHead = Int.random(in: 0..<20, using: &random) == 0
                let index = Int.random(in: isHead ? 0..<64 : range, using: &random)
                damaged[index] = .random(in: 0...255, using: &random)
            }
            let path = "\(program.folder.path)/damaged"
            try damaged.write(to: URL(filePath: path))
            // The calls return for any file content.
            guard let file = ProgramFile(path) else { continue }
            let found = file.withSections { DebugInformation($0).functions(at: AddressSet(places)) }
            #expect(found.count == places.count, "\(random)")
        }
    }
}
#endif
