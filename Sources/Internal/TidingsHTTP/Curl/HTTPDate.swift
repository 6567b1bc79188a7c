// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl
import Glibc

/// A date of an HTTP header, in whole seconds.
struct HTTPDate: Hashable {
    let secondsSince1970: Int64

    /// Parses the three formats of RFC 9110, or returns nil for any other text.
    init?(_ text: String) {
        guard text.utf8.count < 64, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let seconds = curl_getdate(text, nil)
        guard seconds >= 0 else { return nil }
        secondsSince1970 = Int64(seconds)
    }

    private init(_ secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    static var now: HTTPDate { HTTPDate(Int64(time(nil))) }
}
