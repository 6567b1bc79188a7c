// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Decodes messages of one type and posts them on the center.
struct Inlet: Sendable {
    /// The outcome of one attempt.
    enum Outcome: Sendable {
        /// All handlers returned.
        case handled
        /// There was no handler.
        case unheard
        /// A handler threw an error with this description.
        case failed(String)
        /// The body can never be handled.
        case undecodable(BridgeError)
        /// The center has finished, so that the message remains unhandled.
        case unavailable

        /// Whether the handlers were called, and need not be called again for this attempt.
        var isFinal: Bool { if case .unavailable = self { false } else { true } }
    }

    /// The wire name of the type.
    let name: WireName
    /// Whether there is a handler now.
    let hasHandler: @Sendable () -> Bool
    /// Decodes a body of a version, posts the message and waits for the handlers.
    let deliver: @Sendable ([UInt8], BridgeEnvelope) async -> Outcome
    /// Decodes a body and posts the message without waiting for queued handlers.
    ///
    /// The result is nil, or the error of the decoding.
    let post: @Sendable ([UInt8], BridgeEnvelope) -> BridgeError?
}

extension Inlet {
    init<M: BridgedMessage>(
        _ type: WireType<M>,
        _ center: MessageCenter,
        by bridge: ObjectIdentifier
    ) {
        name = M.wireName
        hasHandler = {
            // Another bridge of the center also counts as a handler, because it sends the message
            // on.
            guard let arrival = Arrival(probe: M.wireName, by: bridge) else { return true }
            return center.hasObservers(of: M.self, about: arrival)
        }
        deliver = { body, envelope in
            let message: M
            do throws(BridgeError) {
                message = try type.decode(body, version: envelope.version)
            } catch {
                return .undecodable(error)
            }
            let arrival = Arrival(bridge, envelope)
            let report = await BridgeEnvelope.$current.withValue(envelope) {
                await Arrival.$current.withValue(arrival) {
                    await center.postAndWait(message, about: arrival)
                }
            }
            if let failure = report.failures.first { return .failed("\(failure.error)") }
            if report.unfinished > 0 { return .unavailable }
            if !report.isDelivered, center.isFinished { return .unavailable }
            return report.recipients == 0 ? .unheard : .handled
        }
        post = { body, envelope in
            do throws(BridgeError) {
                let message = try type.decode(body, version: envelope.version)
                let arrival = Arrival(bridge, envelope)
                BridgeEnvelope.$current.withValue(envelope) {
                    Arrival.$current.withValue(arrival) {
                        _ = center.post(message, about: arrival)
                    }
                }
                return nil
            } catch {
                return error
            }
        }
    }
}
