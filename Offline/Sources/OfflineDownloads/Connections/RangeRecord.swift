// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The record of the ranges of a spread file, in a separate file.
///
/// The record has one line for each range, with the first byte, the end of the written bytes, and
/// the end of the synced bytes. After a kill, the written bytes count. After a reboot, only the
/// synced bytes count. Writers replace the numbers in place. No line crosses a page of memory, so
/// that a kill leaves each number whole. The record is safe to use from any thread, because each
/// number has one writer.
struct RangeRecord: Sendable {
    /// A line of the record.
    struct Line: Hashable, Sendable {
        let start: Int64
        var written: Int64
        var synced: Int64
    }

    private static let digits = 20
    /// Three numbers and the spaces between them, padded to a divisor of a page.
    private static let lineLength = 64
    private static let limit = 1 << 20

    private let file: FileDescriptor

    /// Replaces the record at a path with a synced record of these lines.
    ///
    /// - Throws: `SystemError`. In that case, the earlier record is unchanged.
    init(_ path: String, _ lines: [Line]) throws(SystemError) {
        let new = path + ".new"
        try SystemFile.remove(new)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        file = try FileDescriptor(new, flags)
        for line in lines { try file.write(Array(Self.text(line).utf8)) }
        try file.sync()
        try SystemFile.rename(new, to: path)
    }

    /// Returns the lines of a record, or nil if the record is missing or unreadable.
    ///
    /// A power cut may leave any bytes at the end of the record. Lines that this program cannot
    /// have written therefore count as missing.
    static func lines(at path: String) -> [Line]? {
        guard let data = SystemFile.read(path, limit: limit) else { return nil }
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count, by: lineLength).compactMap { offset in
            line(bytes[offset..<min(offset + lineLength, bytes.count)])
        }
    }

    /// Writes a line.
    ///
    /// The caller must do so before writing the first byte of the range.
    func append(_ line: Line, number: Int) throws(SystemError) {
        try write(Self.text(line), at: number * Self.lineLength)
    }

    /// Replaces the end of the written bytes in a line.
    ///
    /// The caller must write the bytes first.
    func setWritten(_ end: Int64, line: Int) throws(SystemError) {
        try write(Self.text(end), at: line * Self.lineLength + Self.digits + 1)
    }

    /// Replaces the end of the synced bytes in a line.
    ///
    /// The caller must sync the bytes first.
    func setSynced(_ end: Int64, line: Int) throws(SystemError) {
        try write(Self.text(end), at: line * Self.lineLength + 2 * (Self.digits + 1))
    }

    /// Syncs the record to the disk.
    func sync() throws(SystemError) {
        guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync", path: file.path) }
    }

    private func write(_ text: String, at offset: Int) throws(SystemError) {
        // The code uses a result, because the closure cannot throw a typed error.
        let result = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try file.write(bytes, at: Int64(offset)) }
        }
        try result.get()
    }

    private static func text(_ line: Line) -> String {
        let numbers = [line.start, line.written, line.synced].map { text($0) }
        return numbers.joined(separator: " ") + " \n"
    }

    private static func text(_ number: Int64) -> String {
        let text = String(number)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard bytes.count == lineLength, words.count == 4, words[3] == "\n" else { return nil }
        let numbers = words.prefix(3).compactMap { word in
            word.count == digits && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
                ? Int64(word) : nil
        }
        guard numbers.count == 3, numbers[0] <= min(numbers[1], numbers[2]) else { return nil }
        // A kill may come after one thread has synced bytes and before another thread has recorded
        // the same bytes as written.
        let written = max(numbers[1], numbers[2])
        return Line(start: numbers[0], written: written, synced: numbers[2])
    }
}
