// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(10)))
struct UnwindTableTests {
    private static func rule(at address: UInt64, in path: String) throws -> UnwindRule? {
        let file = try #require(ProgramFile(path))
        return try file.withSections { try UnwindTable($0).rule(at: address) }
    }

    /// Replaces bytes of a section and returns the path of the damaged file.
    private static func damage(
        _ program: CompiledProgram,
        _ section: String,
        _ bytes: [UInt8],
        at place: Int = 0
    ) throws -> String {
        var data = try Data(contentsOf: URL(filePath: program.path))
        let start = try #require(ProgramFile(program.path)?.range(of: section)).lowerBound + place
        data.replaceSubrange(start..<start + bytes.count, with: bytes)
        let path = "\(program.folder.path)/damaged"
        try data.write(to: URL(filePath: path))
        return path
    }

    @Test func r25_aFileWithoutAnIndexIsReadFromItsStart() throws {
        let indexed = try CompiledProgram("-fomit-frame-pointer")
        let other = try CompiledProgram("-fomit-frame-pointer", "-Wl,--no-eh-frame-hdr")
        for name in ["outermost", "main"] {
            let (addresses, others) = (
                try indexed.addresses(of: name), try other.addresses(of: name)
            )
            for (one, two) in zip(addresses, others) {
                let rule = try #require(try Self.rule(at: one, in: indexed.path))
                #expect(try Self.rule(at: two, in: other.path) == rule)
                #expect(rule[rule.returnAddress] != .lost && !rule.isFirst)
            }
        }
    }

    @Test func r25_onlyFunctionsWithAFrameRecordKeepOne() throws {
        let architecture = try #require(RawCapture.Architecture.own)
        for (option, isKept) in [
            ("-fno-omit-frame-pointer", true), ("-fomit-frame-pointer", false),
        ] {
            let program = try CompiledProgram("-O0", option)
            let main = try program.addresses(of: "main")
            // The address is behind the first instructions, which make the record.
            let rule = try #require(try Self.rule(at: main.lowerBound + 12, in: program.path))
            #expect(rule.keepsFrameRecord(architecture) == isKept, "\(option): \(rule)")
        }
        // The frame pointer is saved beside the return address, but does not point to that place.
        #expect(!UnwindRule.frameless(32, framePointer: -16).keepsFrameRecord(.x86))
    }

    @Test func anAddressOutsideOfAllFunctionsHasNoRule() throws {
        let program = try CompiledProgram("-g0")
        for address in [0, 1, UInt64.max - 1, .max] {
            #expect(try Self.rule(at: address, in: program.path) == nil)
        }
    }

    @Test func r11_damagedTablesAreRefused() throws {
        let program = try CompiledProgram("-g0")
        let main = try program.addresses(of: "main").lowerBound
        let size = try #require(ProgramFile(program.path)?.range(of: ".eh_frame")).count
        // The lengths lie beyond the section, or are zero.
        for byte in [0xFF, 0] as [UInt8] {
            let bytes = [UInt8](repeating: byte, count: size)
            let path = try Self.damage(program, ".eh_frame", bytes)
            #expect(throws: UnwindFault.malformed) { try Self.rule(at: main, in: path) }
        }
        // The index has more pairs than bytes.
        let pairs = try Self.damage(program, ".eh_frame_hdr", [255, 255, 255, 127], at: 8)
        #expect(throws: UnwindFault.malformed) { try Self.rule(at: main, in: pairs) }
    }

    @Test(arguments: 0..<8)
    func r11_malformedTablesEndNoProcess(_ part: Int) throws {
        let program = try CompiledProgram(
            part.isMultiple(of: 2) ? "-Wl,--eh-frame-hdr" : "-Wl,--no-eh-frame-hdr"
        )
        let bytes = try Data(contentsOf: URL(filePath: program.path))
        let sections = try #require(ProgramFile(program.path))
        let ranges = [".eh_frame", ".eh_frame_hdr"].compactMap { sections.range(of: $0) }
        let places = try ["main", "outermost"].flatMap { try program.addresses(of: $0) }
        var random = SeededGenerator(UInt64(part))
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let range = try #require(ranges.randomElement(using: &random))
                damaged[Int.random(in: range, using: &random)] = .random(
                    in: 0...255,
                    using: &random
                )
            }
            let path = "\(program.folder.path)/damaged"
            try damaged.write(to: URL(filePath: path))
            let file = try #require(ProgramFile(path))
            // The calls return for any file content.
            for place in places {
                file.withSections { _ = try? UnwindTable($0).rule(at: place) }
            }
        }
    }

    @Test func r20_onlyAFileOfTheSameBuildIsRead() throws {
        let program = try CompiledProgram("-Wl,--build-id")
        let main = try program.addresses(of: "main").lowerBound
        let build = try #require(BuildID.ofFile(program.path))
        let builds: [(String?, Bool)] = [
            (BuildID.text(of: build), true), ("0a00ff", false), (nil, false),
        ]
        for (buildID, isKnown) in builds {
            let image = ImageList.Image(
                path: program.path,
                start: 0x10000,
                end: 0x90000,
                buildID: buildID
            )
            let rules = ImageUnwindRules(ImageList(architecture: "x86_64", images: [image]))
            let start = try #require(ProgramFile(program.path)).start
            let address = main - start + 0x10000
            #expect((try? rules.rule(at: address) != nil) == (isKnown ? true : nil))
            #expect(throws: UnwindFault.unavailable) { try rules.rule(at: 0x90000) }
        }
    }

    #if arch(x86_64)
    /// Compares with another reader, at random places of system libraries.
    @Test(arguments: ["libc.so", "libswiftCore.so"])
    func r25_anotherReaderFindsTheSameCallers(_ library: String) throws {
        let images = LoadedImages.ofThisProcess().images
        let path = try #require(images.first { $0.name.hasPrefix(library) }?.path)
        let folder = try TemporaryFolder()
        let output = try CompiledProgram.output(
            of: ["readelf", "--wide", "--debug-dump=no-follow-links,frames-interp", path],
            in: folder.path
        )
        var random = SeededGenerator(25)
        let rows = Self.rows(output)
        try #require(rows.count > 1_000)
        let rare = rows.filter { !$0.text.contains("c-8") || $0.text.contains("exp") }
        let file = try #require(ProgramFile(path))
        for row in rows.shuffled(using: &random).prefix(2_000) + rare.prefix(500) {
            let expected = try #require(row.rule, "\(row.text)")
            let found = file.withSections { file in
                Result { () throws(UnwindFault) in try UnwindTable(file).rule(at: row.address) }
            }
            .map { $0.map { row.reduced($0) } }
            #expect(
                found == expected.map { Optional(row.reduced($0)) },
                "\(row.text), \(random)"
            )
        }
    }

    /// A row such as `3fc84 rbp+16   u     c-16  c-8`, with the names of the columns.
    private struct Row {
        static let registers = [
            "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
            "r12", "r13", "r14", "r15", "ra",
        ]

        let columns: [Int]
        let text: Substring
        let address: UInt64

        /// Removes values that the row does not distinguish from unchanged ones.
        func reduced(_ rule: UnwindRule) -> UnwindRule {
            var rule = rule
            rule.values = rule.values.filter { $0.key == 16 || $0.value != .lost }
            return rule
        }

        /// The rule of the row, or nil if the row has another form.
        var rule: Result<UnwindRule, UnwindFault>? {
            // Register names follow in parentheses after the register numbers.
            let fields = text.split(separator: " ").dropFirst().filter { !$0.hasPrefix("(") }
            guard let frame = fields.first, fields.count == columns.count + 1 else { return nil }
            guard frame != "exp", fields.last != "exp" else { return .failure(.unsupported) }
            let (name, offset) = Self.split(frame)
            guard let base = Self.registers.firstIndex(of: name) else { return nil }
            var rule = UnwindRule(base: base, offset: offset, returnAddress: 16)
            for (column, value) in zip(columns, fields.dropFirst()) {
                let (kind, number) = Self.split(value)
                switch kind {
                case "c": rule.values[column] = .saved(number)
                case "u", "exp", "vexp": rule.values[column] = .lost
                default: rule.values[column] = Int(value.dropFirst()).map { .register($0) }
                }
            }
            return .success(rule)
        }

        /// Returns the parts of a sum such as `rsp+8`.
        private static func split(_ sum: Substring) -> (name: String, offset: Int64) {
            let name = sum.prefix { $0 != "+" && $0 != "-" }
            return (String(name), Int64(sum.dropFirst(name.count)) ?? 0)
        }
    }

    private static func rows(_ output: String) -> [Row] {
        var columns: [Int]?
        var isFunction = false
        return output.split(separator: "\n").compactMap { line in
            if line.hasPrefix("   LOC") {
                let names = line.split(separator: " ").dropFirst(2)
                let known = names.compactMap { Row.registers.firstIndex(of: String($0)) }
                columns = known.count == names.count ? known : nil
            } else if line.contains("cie=") || line.contains(" CIE ") {
                isFunction = line.contains("cie=")
            } else if isFunction, let columns, line.prefix(16).allSatisfy(\.isHexDigit),
                let address = UInt64(line.prefix(16), radix: 16)
            {
                return Row(columns: columns, text: line, address: address)
            }
            return nil
        }
    }
    #endif
}
#endif
