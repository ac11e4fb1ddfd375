//! TLS and certificates. `tokio-postgres` distinguishes only some values of `sslmode`, so certificate
//! verification is implemented here.

use super::address::{Address, Encryption};
use super::fault::PgError;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls;

/// Paths of the trusted certificates on various systems.
const ROOTS: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

pub struct Connector(Arc<ClientConfig>);

impl Connector {
    /// Creates the connector for an address. Returns `None` for an unencrypted connection.
    pub fn of(address: &Address) -> Result<Option<Connector>, PgError> {
        if address.encryption == Encryption::Disable {
            return Ok(None);
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = verifier(address, &provider)?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| PgError::unencrypted(&error))?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        Ok(Some(Connector(Arc::new(config))))
    }
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = Named;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Named, InvalidDnsNameError> {
        let name = ServerName::try_from(host)?.to_owned();
        Ok(Named { connector: TlsConnector::from(Arc::clone(&self.0)), name })
    }
}

pub struct Named {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for Named {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move { self.connector.connect(self.name, socket).await.map(Encrypted) })
    }
}

pub struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, to)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

fn verifier(address: &Address, provider: &Arc<CryptoProvider>) -> Result<Arc<Verifier>, PgError> {
    // As in libpq, `require` verifies the signature too if roots are given.
    let trusted = match (address.encryption, &address.roots) {
        (Encryption::Prefer, _) | (Encryption::Require, None) => None,
        (_, Some(file)) => Some(roots(file)?),
        (_, None) => Some(roots(&system())?),
    };
    let inner = trusted.map(|roots| {
        let built =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build();
        built.map_err(|error| {
            PgError::own(
                format!("no certificate is trusted: {error}"),
                "set sslrootcert=FILE to a file of trusted certificates",
            )
        })
    });
    let by_name = address.encryption == Encryption::VerifyFull;
    Ok(Arc::new(Verifier { inner: inner.transpose()?, by_name, provider: Arc::clone(provider) }))
}

fn system() -> PathBuf {
    let named = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let known = || ROOTS.iter().map(PathBuf::from).find(|file| file.exists());
    named.or_else(known).unwrap_or_else(|| ROOTS[0].into())
}

fn roots(file: &Path) -> Result<RootCertStore, PgError> {
    let unreadable = |why: String| {
        let what = format!("the trusted certificates in {} cannot be read: {why}", file.display());
        PgError::own(what, "set sslrootcert=FILE to a file of trusted certificates")
    };
    let read = CertificateDer::pem_file_iter(file).map_err(|error| unreadable(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    // Skip certificates that cannot be parsed. One of hundreds must not make all others unusable.
    let (added, _) = roots.add_parsable_certificates(read.flatten());
    if added == 0 { Err(unreadable("there are none".into())) } else { Ok(roots) }
}

/// Verifies certificates according to `sslmode`.
#[derive(Debug)]
struct Verifier {
    /// Verifier of the signature, or `None` to accept any certificate.
    inner: Option<Arc<WebPkiServerVerifier>>,
    /// True if the certificate must be valid for the host.
    by_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(inner) = &self.inner else { return Ok(ServerCertVerified::assertion()) };
        match inner.verify_server_cert(end, between, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.by_name => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
