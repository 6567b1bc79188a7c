// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The record of the ranges of a spread file, beside it.
///
/// It has one line for each range: its first byte, the end of its written bytes, and the end of its
/// synced bytes. After a kill the written bytes count, after a reboot only the synced ones. The
/// numbers are replaced in place. No line crosses a page of memory, so that a kill leaves each of
/// them whole. Safe from any thread, because each number has one writer.
struct RangeRecord: Sendable {
    /// A line of the record.
    struct Line: Hashable, Sendable {
        let start: Int64
        var written: Int64
        var synced: Int64
    }

    private static let digits = 20
    /// Three numbers and the spaces between them, filled to a divisor of a page.
    private static let lineLength = 64
    private static let limit = 1 << 20

    private let file: FileDescriptor

    /// Replaces the record at a path by one with these lines, which is synced.
    ///
    /// - Throws: `SystemError`; the earlier record is unchanged then.
    init(_ path: String, _ lines: [Line]) throws(SystemError) {
        let new = path + ".new"
        try SystemFile.remove(new)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        file = try FileDescriptor(new, flags)
        for line in lines { try file.write(Array(Self.text(line).utf8)) }
        try file.sync()
        try SystemFile.rename(new, to: path)
    }

    /// Returns the lines of a record; nil if there is none or it is unreadable.
    ///
    /// A power cut may leave any bytes at its end, so lines that this program cannot have written
    /// count as missing.
    static func lines(at path: String) -> [Line]? {
        guard let data = SystemFile.read(path, limit: limit) else { return nil }
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count, by: lineLength).compactMap { offset in
            line(bytes[offset..<min(offset + lineLength, bytes.count)])
        }
    }

    /// Writes a line; call it before the first byte of the range is written.
    func append(_ line: Line, number: Int) throws(SystemError) {
        try write(Self.text(line), at: number * Self.lineLength)
    }

    /// Replaces the end of the written bytes in a line; call it after they are written.
    func setWritten(_ end: Int64, line: Int) throws(SystemError) {
        try write(Self.text(end), at: line * Self.lineLength + Self.digits + 1)
    }

    /// Replaces the end of the synced bytes in a line; call it after they are synced.
    func setSynced(_ end: Int64, line: Int) throws(SystemError) {
        try write(Self.text(end), at: line * Self.lineLength + 2 * (Self.digits + 1))
    }

    /// Returns after the disk has the record.
    func sync() throws(SystemError) {
        guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync", path: file.path) }
    }

    private func write(_ text: String, at offset: Int) throws(SystemError) {
        // A result instead of an error, because the closure cannot throw a typed one.
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
        // A kill may come before the record of bytes that another thread has already synced.
        let written = max(numbers[1], numbers[2])
        return Line(start: numbers[0], written: written, synced: numbers[2])
    }
}
