// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsHTTP

/// The addresses that a command line names, directly or in files.
struct AddressList {
    /// The addresses in the given order, without duplicates.
    private(set) var addresses: [WebAddress] = []
    /// The sentences about words and lines whose address cannot be fetched.
    private(set) var faults: [String] = []

    /// Reads the words of a command line, then the files.
    ///
    /// - Parameters:
    ///   - words: The addresses, perhaps with text around them.
    ///   - files: The paths of lists. `-` is the standard input.
    ///   - read: Returns the content of a list up to a number of bytes.
    /// - Throws: `UsageError` without an address, or for a list that cannot be used.
    init(
        words: [String],
        files: [String],
        read: (String, Int) throws(UsageError) -> Data = Self.content
    ) throws(UsageError) {
        for word in words { collect(word, as: .text, from: nil) }
        for file in files {
            let content = try read(file, PastedAddresses.longestText + 1)
            guard let text = String(data: content, encoding: .utf8) else {
                throw UsageError("\(Self.name(of: file)) is not text in UTF-8.")
            }
            collect(text, as: .list, from: Self.name(of: file))
        }
        guard addresses.isEmpty else { return }
        throw UsageError(faults.first ?? "The address is missing. Use: offline get https://…")
    }

    private mutating func collect(
        _ text: String,
        as form: PastedAddresses.Form,
        from place: String?
    ) {
        do {
            let pasted = try PastedAddresses(text, form: form)
            for address in pasted.addresses where !addresses.contains(address) {
                addresses.append(address)
            }
            faults += pasted.refusals.map { refusal in
                place.map { "\($0), line \(refusal.line): \(refusal.message)" } ?? refusal.message
            }
        } catch {
            faults.append(place.map { "\($0): \(error.message)" } ?? error.message)
        }
    }

    private static func name(of file: String) -> String {
        file == "-" ? "The standard input" : Terminal.clean(file)
    }

    private static func content(of file: String, limit: Int) throws(UsageError) -> Data {
        do {
            guard file != "-" else {
                return try FileHandle.standardInput.read(upToCount: limit) ?? Data()
            }
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            return try handle.read(upToCount: limit) ?? Data()
        } catch {
            throw UsageError(
                "\(name(of: file)) cannot be read. Check the path and the permissions."
            )
        }
    }
}
