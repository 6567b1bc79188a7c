// SPDX-License-Identifier: Apache-2.0
import COfflineHTML

/// Receives the parts of a page in the order of the page.
protocol HTMLHandler: AnyObject {
    /// Whether the handler uses text at the moment.
    var readsText: Bool { get }

    /// Called for a start tag. Names are in lowercase, and character references are decoded.
    func start(_ name: String, _ attributes: [String: String])

    /// Called for an end tag, including an end tag that the page omits.
    func end(_ name: String)

    /// Called for a piece of text, including the text of a script.
    func text(_ text: UnsafeRawBufferPointer)
}

/// Parses HTML as browsers do, without a tree.
///
/// Only the largest tag determines the memory use.
///
/// This is the only file with pointers of libxml2.
enum HTMLReader {
    private static let preparation: Void = offline_html_prepare()

    /// Calls a handler for the parts of a page.
    ///
    /// - Returns: Whether the page was parsed to the end. Parsing ends early for a page that is
    ///   made to be slow, such as a page with a million attributes in one tag.
    @discardableResult
    static func read(_ text: String, into handler: some HTMLHandler) -> Bool {
        _ = preparation
        var events = offline_html_events(
            start: { context, name, attributes in
                guard let name, let call = HTMLCall.of(context) else { return }
                call.handler.start(String(cString: name), HTMLCall.values(attributes))
            },
            end: { context, name in
                guard let name, let call = HTMLCall.of(context) else { return }
                call.handler.end(String(cString: name))
            },
            text: { context, bytes, length in
                guard let bytes, let call = HTMLCall.of(context), call.handler.readsText else {
                    return
                }
                call.handler.text(UnsafeRawBufferPointer(start: bytes, count: length))
            }
        )
        let call = HTMLCall(handler)
        var text = text
        return withExtendedLifetime(call) {
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    offline_html_parse(
                        characters.baseAddress,
                        characters.count,
                        &events,
                        Unmanaged.passUnretained(call).toOpaque()
                    ) == OFFLINE_HTML_COMPLETE
                }
            }
        }
    }
}

/// The context of the C callbacks during one call of `HTMLReader.read`.
private final class HTMLCall {
    let handler: any HTMLHandler

    init(_ handler: any HTMLHandler) {
        self.handler = handler
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> HTMLCall? {
        context.map { Unmanaged<HTMLCall>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns the attributes of a list of names and values that ends with a null name.
    static func values(
        _ list: UnsafePointer<UnsafePointer<CChar>?>?
    ) -> [String: String] {
        guard var next = list else { return [:] }
        var values: [String: String] = [:]
        while let name = next.pointee {
            values[String(cString: name)] = (next + 1).pointee.map { String(cString: $0) } ?? ""
            next += 2
        }
        return values
    }
}
