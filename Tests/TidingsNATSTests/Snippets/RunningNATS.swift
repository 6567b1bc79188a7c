// SPDX-License-Identifier: Apache-2.0
#if NATS
// The settings of the article “Running NATS for a bridge”.
import TidingsBridge
import TidingsNATS

func replicatedTransport() -> NATSTransport {
    var configuration = NATSConfiguration()
    configuration.stream.replicas = 3
    configuration.stream.largestSize = 20_000_000_000
    return NATSTransport(
        anyOf: ["nats://one:4222", "nats://two:4222", "nats://three:4222"],
        configuration
    )
}

func encryptedTransport() -> NATSTransport {
    var encryption = NATSEncryption()
    encryption.authorities = .file("/etc/shop/authority.pem")
    encryption.certificate = NATSEncryption.Certificate(
        chain: .file("/etc/shop/client.pem"),
        key: .file("/etc/shop/client.key")
    )
    var configuration = NATSConfiguration()
    configuration.encryption = encryption
    configuration.identity = .user("shop", password: .file("/run/secrets/shop"))
    return NATSTransport("tls://broker.example.org:4222", configuration)
}

func strictOptions() -> BridgeOptions {
    var options = BridgeOptions()
    options.durability = .power
    options.requirement = .neverLose
    return options
}
#endif
