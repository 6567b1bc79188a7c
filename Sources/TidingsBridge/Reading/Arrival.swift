// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The subject of a message that a bridge posts on the center.
///
/// The bridge that posted the message does not send it again. Other bridges send the message on
/// with the same envelope.
final class Arrival: TracedSubject {
    /// The bridge that posts.
    let bridge: ObjectIdentifier
    /// The envelope, also for a message of this process that the bridge has stored itself.
    let envelope: BridgeEnvelope

    /// The arrival that is being posted by this task.
    @TaskLocal static var current: Arrival?

    /// The origin, so that traces and breadcrumbs show the source of a message.
    var traceText: String {
        "from \(envelope.origin.isEmpty ? "another program" : envelope.origin)"
    }

    init(_ bridge: ObjectIdentifier, _ envelope: BridgeEnvelope) {
        self.bridge = bridge
        self.envelope = envelope
    }

    /// Creates the subject of a message that is never posted.
    convenience init?(probe type: WireName, by bridge: ObjectIdentifier) {
        var frame = BridgeFrame(subject: "")
        frame.headers[.type] = type.text
        guard let envelope = try? BridgeEnvelope(frame, fallbackID: "", stored: nil) else {
            return nil
        }
        self.init(bridge, envelope)
    }
}
