// SPDX-License-Identifier: Apache-2.0
import CTidingsChild
import Foundation
import TidingsLock

/// A program in a separate process for a test.
///
/// The program inherits only the three standard streams. With Foundation's `Process`, a program
/// also inherits the pipes and sockets that other threads open at that moment. Another program's
/// input then never ends, and the end of another program is noticed only after the end of this
/// one. The testing library misses the end of an exit test until then.
///
/// The error output goes to the error output of the tests.
package final class ChildProgram: Sendable {
    /// A call of the system or a program that failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let number: CInt
    private let output: CInt
    private let input: Lock<CInt?>
    private let end: End

    /// Starts a program, which PATH may name.
    ///
    /// The program reads what `write(_:)` writes, or a file.
    package init(
        _ arguments: [String],
        in folder: String? = nil,
        readingFrom file: String? = nil
    ) throws {
        let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        let (words, environment) = (Self.copies(arguments), Self.copies(variables))
        defer { for word in words + environment { free(word) } }
        var (toProgram, fromProgram, number): (CInt, CInt, CInt) = (-1, -1, 0)
        let error = tidings_child_start(
            words,
            environment,
            folder,
            file,
            &toProgram,
            &fromProgram,
            &number
        )
        guard error == 0 else { throw Failure(call: arguments[0], error) }
        self.number = number
        input = Lock(toProgram)
        output = fromProgram
        end = End(number)
        if file != nil { closeInput() }
    }

    private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        strings.map { strdup($0) } + [nil]
    }

    deinit {
        closeInput()
        Foundation.close(output)
    }

    /// Runs a program until its end and returns the output.
    ///
    /// Throws an error if the program's status is not 0.
    @discardableResult
    package static func output(
        of arguments: [String],
        in folder: String? = nil,
        readingFrom file: String = "/dev/null"
    ) throws -> String {
        let program = try ChildProgram(arguments, in: folder, readingFrom: file)
        let bytes = program.readToEnd()
        let status = program.waitUntilExit()
        guard status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): status \(status)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func write(_ bytes: some Collection<UInt8>) throws {
        let descriptor = input.withLock { $0 ?? -1 }
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { throw Failure(call: "write") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    package func closeInput() {
        let open = input.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let open { Foundation.close(open) }
    }

    /// Waits for output and returns what is there, or nothing at the end of the output.
    package func read(upToCount count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            var result = Foundation.read(output, buffer.baseAddress, count)
            while result < 0, errno == EINTR {
                result = Foundation.read(output, buffer.baseAddress, count)
            }
            length = max(0, result)
        }
    }

    /// Returns the next line without the line's end, or nil at the end of the output.
    package func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = read(upToCount: 1).first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    package func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = read(upToCount: 65_536)
            if next.isEmpty { return bytes }
            bytes += next
        }
    }

    /// Blocks the thread until the end of the program and returns the status.
    ///
    /// After a signal, the status is the signal's number plus 128.
    @discardableResult
    package func waitUntilExit() -> CInt { end.wait() }
}

extension ChildProgram.Failure {
    fileprivate init(call: String, _ error: CInt = errno) {
        self.init(description: "\(call): \(String(cString: strerror(error)))")
    }
}

/// The end of a program, for which a separate thread waits.
///
/// The thread collects the program right away, also if no test asks for the status. The testing
/// library does not see the end of an exit test behind an older program that nobody collects.
private final class End: Sendable {
    private let group = DispatchGroup()
    private let status = Lock(CInt(0))

    init(_ number: pid_t) {
        group.enter()
        Thread { [self] in
            // If somebody else collects the program, the program counts as failed.
            var facts: CInt = 0xFF00
            while waitpid(number, &facts, 0) < 0, errno == EINTR {}
            let signal = facts & 0x7F
            status.withLock { $0 = signal == 0 ? (facts >> 8) & 0xFF : 128 + signal }
            group.leave()
        }.start()
    }

    func wait() -> CInt {
        group.wait()
        return status.withLock { $0 }
    }
}
